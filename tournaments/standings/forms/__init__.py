"""What staff say about scoring: the part of the event form, and rules to suppose."""
