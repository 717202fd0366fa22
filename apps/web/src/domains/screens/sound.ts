/** Alarm tones. Browsers block audio until the user has clicked, so sound is off until switched on once. */
let audio: AudioContext | undefined

export function openSound(): boolean {
  if (typeof AudioContext === 'undefined') return false
  audio ??= new AudioContext()
  void audio.resume()
  return true
}

/** Three high tones for level 1, two lower ones for others. */
export function ring(level: number): void {
  if (audio?.state !== 'running') return
  for (let i = 0; i < (level === 1 ? 3 : 2); i++) {
    const at = audio.currentTime + i * 0.24
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    tone.frequency.value = level === 1 ? 1180 : 920
    volume.gain.setValueAtTime(0.0001, at)
    volume.gain.exponentialRampToValueAtTime(0.16, at + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.2)
    tone.connect(volume).connect(audio.destination)
    tone.start(at)
    tone.stop(at + 0.22)
  }
}

export function closeSound(): void {
  void audio?.close()
  audio = undefined
}
