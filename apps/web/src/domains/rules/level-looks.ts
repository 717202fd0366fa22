/** Relative luminance and contrast according to WCAG 2. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

export function contrastOf(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

/** Tones of each sound: [frequency in Hz, seconds], one after another. */
const tones: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  beep: [[880, 0.15]],
  ring: [
    [988, 0.12],
    [784, 0.12],
    [988, 0.12],
    [784, 0.12],
  ],
  siren: [
    [600, 0.3],
    [1_000, 0.3],
    [600, 0.3],
    [1_000, 0.3],
  ],
}

export function playSound(name: string): void {
  const all = tones[name]
  if (!all) return
  const audio = new AudioContext()
  const gain = audio.createGain()
  gain.gain.value = 0.15
  gain.connect(audio.destination)
  let at = audio.currentTime
  for (const [frequency, seconds] of all) {
    const tone = audio.createOscillator()
    tone.frequency.value = frequency
    tone.connect(gain)
    tone.start(at)
    tone.stop(at + seconds)
    at += seconds
  }
  setTimeout(() => void audio.close(), (at - audio.currentTime) * 1000 + 200)
}
