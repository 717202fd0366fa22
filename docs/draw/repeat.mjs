// Repeats a draw from its published file: node repeat.mjs draw.json. Needs nothing of the product.
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

const { rules, lots, quotas, perUnit, listHash, commitment, seed, digits, result } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const sha256 = (data) => createHash('sha256').update(data).digest('hex')
const list = JSON.stringify({
  rules,
  lots: lots.map(({ key, classes, unit }) => ({ key, classes, unit })),
  quotas: quotas.map(({ name, seats }) => ({ name, seats })),
  perUnit,
})
if (sha256(list) !== listHash) throw new Error('the list is not the one that was frozen')
if (sha256(Buffer.from(seed, 'hex')) !== commitment) throw new Error('the seed is not the one that was committed')
let [words, block] = [[], 0]
const word = () => {
  if (!words.length) {
    const bytes = createHmac('sha256', Buffer.from(seed, 'hex'))
      .update(`${rules}\n${listHash}\n${digits.join(',')}\n${block++}`)
      .digest()
    words = [0, 4, 8, 12, 16, 20, 24, 28].map((at) => bytes.readUInt32BE(at))
  }
  return words.shift()
}
const below = (n) => {
  for (;;) {
    const w = word()
    if (w < 2 ** 32 - (2 ** 32 % n)) return w % n
  }
}
const [seated, ofUnit] = [new Set(), {}]
const drawn = quotas.map(({ name, seats: wanted }) => {
  const order = lots.filter((lot) => lot.classes.includes(name) && !seated.has(lot.key))
  for (let i = order.length - 1; i > 0; i--) {
    const j = below(i + 1)
    ;[order[i], order[j]] = [order[j], order[i]]
  }
  const [seats, reserve] = [[], []]
  for (const { key, unit } of order) {
    const full = unit && perUnit !== null && (ofUnit[unit] ?? 0) >= perUnit
    if (seats.length >= wanted || full) reserve.push(key)
    else {
      seats.push(key)
      seated.add(key)
      if (unit) ofUnit[unit] = (ofUnit[unit] ?? 0) + 1
    }
  }
  return { name, seats, reserve }
})
if (JSON.stringify(drawn) !== JSON.stringify(result)) throw new Error('the result differs')
console.log('the draw is repeated: list, seed and result agree')
