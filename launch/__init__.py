"""What ./run and ./test do before Doomdesk itself can be imported: standard library only."""
