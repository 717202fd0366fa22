const mostBytes = 256 * 1024
const start = /<(?:[\w-]+:)?EventNotificationAlert[\s>]/
const leaf = /<(?:[\w-]+:)?([A-Za-z][\w-]*)(?:\s[^<>]*)?>([^<]*)<\/(?:[\w-]+:)?\1\s*>/g
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const unescaped = (text: string): string => text.replace(/&(lt|gt|amp|quot|apos);/g, (_all, name: string) => entities[name] ?? '')

/**
 * The values of an XML `EventNotificationAlert` by element name, without nesting: the names of an access controller's alert are unique.
 * Undefined for any other text. Documents that define entities are refused.
 */
export function alertOf(text: string): Record<string, unknown> | undefined {
  if (text.length > mostBytes) return undefined
  const from = text.search(start)
  if (from < 0 || /<!(?:DOCTYPE|ENTITY)/i.test(text)) return undefined
  const fields: Record<string, unknown> = {}
  for (const [, name = '', value = ''] of text.slice(from).matchAll(leaf)) if (value.trim() !== '') fields[name] ??= unescaped(value.trim())
  return fields
}
