"""Pages of those who play: sign-up, their match, their deck, leaving.

For players by account or personal link. They see their own match and what is public.
"""
