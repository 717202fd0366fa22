import { askAhead } from '#kit/ahead.ts'

// In a file of its own, because imported modules run before the module that imports them.
askAhead(location)
