import { create } from 'zustand'
import { readPref, writePref } from '#kit/prefs.ts'

/** Whether live pages sound alarms; stored per user. Off by default, because browsers require a gesture first. */
export const soundOn = create<{ on: boolean }>(() => ({ on: false }))
void readPref<boolean>('alarm-sound').then((on) => on !== undefined && soundOn.setState({ on }))

let audio: AudioContext | undefined

export function setSound(on: boolean): void {
  soundOn.setState({ on })
  void writePref('alarm-sound', on)
  if (on) soundAlarm(4)
}

/** Level 1 three high tones, level 2 two, the rest one. */
export function soundAlarm(level: number): void {
  if (!soundOn.getState().on || typeof AudioContext === 'undefined') return
  audio ??= new AudioContext()
  const count = level === 1 ? 3 : level === 2 ? 2 : 1
  for (let i = 0; i < count; i++) {
    const at = audio.currentTime + i * 0.24
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    tone.frequency.value = level === 1 ? 1180 : level === 2 ? 920 : 700
    volume.gain.setValueAtTime(0.0001, at)
    volume.gain.exponentialRampToValueAtTime(0.14, at + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.2)
    tone.connect(volume).connect(audio.destination)
    tone.start(at)
    tone.stop(at + 0.22)
  }
}
