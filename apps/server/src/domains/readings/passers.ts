/** Ids that gates send for people without a number: strangers, a card compared with a face, a person without a mask. */
const reservedIds: ReadonlySet<string> = new Set(['STRANGERBABY', 'STRANGER', 'IDCARD', 'NOMASK', 'UNKNOWN'])
const known = '1'
const stranger = '3'

/** The person's number; undefined if the gate does not know the person. */
export function personOf(raw: unknown): string | undefined {
  const text = typeof raw === 'number' ? String(raw) : typeof raw === 'string' ? raw.trim() : ''
  return text !== '' && !reservedIds.has(text.toUpperCase()) && !/^(0|-1)$/.test(text) ? text : undefined
}

/** Converts the face similarity to percent; some gates send a fraction. */
function withPercent(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { score } = data
  return typeof score === 'number' && score > 0 && score <= 1 ? { ...data, score: Math.round(score * 1000) / 10 } : data
}

/** Normalises a passage from any source: a reserved id is removed, and a "known" person with a reserved id becomes a stranger. */
export function passageOf(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const data = withPercent(given)
  const { workerId, ...rest } = data
  if (workerId === undefined || workerId === null || workerId === '' || personOf(workerId) !== undefined) return data
  return { ...rest, personType: String(data.personType ?? known) === known ? stranger : data.personType }
}
