"""Every page as its audience sees it: a world to look at, a site that shows it, pictures and checks of all pages."""
