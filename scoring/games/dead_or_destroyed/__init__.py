"""Dead or Destroyed: its sheet, its pages, its help at the table."""
