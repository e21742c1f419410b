"""How large a decklist may be, in any format."""

MAX_BYTES = 256 * 1024
MAX_LINES = 2000
MAX_LINE_LENGTH = 300
MAX_COUNT = 999
