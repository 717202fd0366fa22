import { longestVoiceSeconds } from '@zhugong/contract/files/voices'

/** What browsers record, the smallest first: Chromium and Firefox, then Safari. */
const recordings = ['audio/webm;codecs=opus', 'audio/mp4']
/** Speech is understood at this rate: a minute takes 180 KB. */
const bitsPerSecond = 24_000

/** Whether this browser can record at all; pages without a secure connection have no microphone. */
export const canRecord = (): boolean => typeof MediaRecorder !== 'undefined' && navigator.mediaDevices !== undefined

/** No microphone, or the user has not allowed it. */
export class NoMicrophone extends Error {}

export interface Recording {
  /** Ends it and returns what was said; undefined when nothing was recorded. */
  stop(): Promise<File | undefined>
}

/**
 * Begins to record. `onEnd` is called when the longest time is reached.
 * @throws NoMicrophone
 */
export async function beginRecording(onEnd: () => void): Promise<Recording> {
  const sound = await navigator.mediaDevices.getUserMedia({ audio: true }).catch(() => undefined)
  if (!sound) throw new NoMicrophone('没有得到麦克风，请在浏览器中允许')
  const mimeType = recordings.find((one) => MediaRecorder.isTypeSupported(one))
  const recorder = new MediaRecorder(sound, { ...(mimeType ? { mimeType } : {}), audioBitsPerSecond: bitsPerSecond })
  const parts: Blob[] = []
  recorder.addEventListener('dataavailable', ({ data }) => data.size > 0 && parts.push(data))
  const ended = new Promise<void>((resolve) => recorder.addEventListener('stop', () => resolve(), { once: true }))
  const timer = setTimeout(onEnd, longestVoiceSeconds * 1_000)
  recorder.start()
  return {
    async stop() {
      clearTimeout(timer)
      if (recorder.state !== 'inactive') recorder.stop()
      await ended
      for (const track of sound.getTracks()) track.stop()
      const [type = 'audio/webm'] = recorder.mimeType.split(';')
      return parts.length > 0 ? new File(parts, `录音.${type === 'audio/mp4' ? 'm4a' : 'webm'}`, { type }) : undefined
    },
  }
}
