"""An event as one signed file that anybody can check without this site (docs/reference/event-file.md)."""
