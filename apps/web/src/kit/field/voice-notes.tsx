import { AudioOutlined, DeleteOutlined, PauseOutlined } from '@ant-design/icons'
import { longestVoiceSeconds, mostVoices } from '@zhugong/contract/files/voices'
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { storeFile } from '../inputs.tsx'
import { notify } from '../notify.ts'
import { useFileSource } from './file-source.ts'
import { dropPhotos, isOnDevice, keepVoice } from './photos.ts'
import { isFull } from './store.ts'
import { beginRecording, canRecord, NoMicrophone, type Recording } from './voices.ts'
import './field.css'

interface VoiceNotesProps {
  id?: string
  /** In a form the field gives `value` and `onChange`. */
  value?: readonly string[] | null
  onChange?: (value: string[]) => void
}

/** Spoken notes for whoever cannot write in gloves: kept on the device at once and sent with the form, as photographs are. */
export function VoiceNotes({ id, value: given, onChange }: VoiceNotesProps) {
  const value = given ?? []
  const latest = useRef(value)
  latest.current = value
  const running = useRef<Recording>(undefined)
  const [since, setSince] = useState<number>()
  // Leaving the page ends the recording; what was said so far is not kept.
  useEffect(() => () => void running.current?.stop(), [])
  const end = async () => {
    const recording = running.current
    running.current = undefined
    setSince(undefined)
    const file = await recording?.stop()
    const address = file && (await kept(file))
    if (address) onChange?.([...latest.current, address])
  }
  const begin = async () => {
    try {
      running.current = await beginRecording(() => void end())
      setSince(Date.now())
    } catch (error) {
      if (!(error instanceof NoMicrophone)) throw error
      notify.error(error.message)
    }
  }
  const remove = (address: string) => {
    onChange?.(value.filter((one) => one !== address))
    if (isOnDevice(address)) void dropPhotos([address])
  }
  if (!canRecord() && value.length === 0) return <span className="zg-2">本浏览器不能录音</span>
  return (
    <div className="field-voices">
      {value.map((address, i) => (
        <div key={address} className="zg-row zg-middle zg-gap-6">
          <Voice address={address} name={`录音 ${i + 1}`} />
          {isOnDevice(address) && <small className="zg-2">本机</small>}
          <Button icon={<DeleteOutlined />} aria-label={`删除录音 ${i + 1}`} onClick={() => remove(address)} />
        </div>
      ))}
      {since !== undefined ? (
        <Button id={id} aria-label="停止录音" size="large" danger icon={<PauseOutlined />} onClick={() => void end()}>
          停止录音 <Elapsed since={since} />
        </Button>
      ) : (
        canRecord() &&
        value.length < mostVoices && (
          <Button id={id} aria-label="录音" size="large" type="dashed" icon={<AudioOutlined />} onClick={() => void begin()}>
            录音
          </Button>
        )
      )}
    </div>
  )
}

const secondMs = 1_000
function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(since)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), secondMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <span className="field-seconds">
      {Math.min(Math.floor((now - since) / secondMs), longestVoiceSeconds)} / {longestVoiceSeconds} 秒
    </span>
  )
}

async function kept(file: File): Promise<string | undefined> {
  try {
    return await keepVoice(file)
  } catch (error) {
    if (!isFull(error)) throw error
  }
  try {
    return await storeFile(file)
  } catch {
    notify.error('本机存储已满且没有网络，录音未保存。请清理空间或联网后重录')
    return undefined
  }
}

/** The spoken notes of a record, to be listened to. */
export function Voices({ voices }: { voices: readonly string[] }) {
  if (voices.length === 0) return null
  return (
    <div className="field-voices">
      {voices.map((address, i) => (
        <Voice key={address} address={address} name={`录音 ${i + 1}`} />
      ))}
    </div>
  )
}

function Voice({ address, name }: { address: string; name: string }) {
  const { src } = useFileSource(address)
  // biome-ignore lint/a11y/useMediaCaption: a note spoken on the site has no captions; what counts is written in the record
  return <audio className="field-voice" controls preload="metadata" src={src} aria-label={name} />
}
