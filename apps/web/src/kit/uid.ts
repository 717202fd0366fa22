const hex = '0123456789abcdef'

function randomHex(length: number, random: () => number): string {
  let text = ''
  for (let i = 0; i < length; i++) text += hex[Math.floor(random() * 16)]
  return text
}

function strong(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32
}

/** 32 hexadecimal characters: 9 random ones, the time, then random ones. */
export function uid(now: number = Date.now(), random: () => number = strong): string {
  const head = randomHex(9, random) + now.toString(16)
  return head + randomHex(32 - head.length, random)
}

/** Inserts dashes: groups of 8-4-4-4 and the rest. */
export function dashed(id: string): string {
  return [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-')
}
