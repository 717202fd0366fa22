import { askAhead } from '#kit/ahead.ts'

// A file of its own, since what is imported is run before what imports it.
askAhead(location)
