import { CameraOutlined, DeleteOutlined, PictureOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { accepts, acceptWords } from '../accepts.ts'
import { showFailure } from '../http.ts'
import { storeFile } from '../inputs.tsx'
import { notify } from '../notify.ts'
import { shrunk } from '../shrink.ts'
import { Thumb } from '../viewers.tsx'
import { useFileSource } from './file-source.ts'
import { dropPhotos, isOnDevice, keepPhoto, TooLarge } from './photos.ts'
import { isFull } from './store.ts'
import './field.css'

const accept = 'image/*'
/** Of a photograph as the camera makes it; it is shrunk before it is kept. */
const mostMb = 60

interface FieldPhotosProps {
  id?: string
  /** In a form the field gives `value` and `onChange`. */
  value?: readonly string[] | null
  onChange?: (value: string[]) => void
  max: number
}

/** Photographs taken on the site: kept on the device at once, sent with the form, or later when there is a network. */
export function FieldPhotos({ id, value: given, onChange, max }: FieldPhotosProps) {
  const value = given ?? []
  const camera = useRef<HTMLInputElement>(null)
  const gallery = useRef<HTMLInputElement>(null)
  const latest = useRef(value)
  latest.current = value
  const [busy, setBusy] = useState(false)
  const add = async (chosen: readonly File[], placed: boolean) => {
    setBusy(true)
    for (const file of chosen.slice(0, max - latest.current.length)) {
      const address = await kept(file, placed)
      if (!address) continue
      latest.current = [...latest.current, address]
      onChange?.([...latest.current])
    }
    setBusy(false)
  }
  const remove = (address: string) => {
    onChange?.(value.filter((one) => one !== address))
    if (isOnDevice(address)) void dropPhotos([address])
  }
  const room = value.length < max
  return (
    <div className="zg-row zg-wrap field-photos">
      {value.map((address) => (
        <div key={address} className="field-photo">
          <FieldThumb address={address} />
          {isOnDevice(address) && <small>本机</small>}
          <button type="button" className="zg-bare field-remove" aria-label="删除照片" onClick={() => remove(address)}>
            <DeleteOutlined />
          </button>
        </div>
      ))}
      {room && (
        <>
          <Button id={id} size="large" type="dashed" loading={busy} icon={<CameraOutlined />} onClick={() => camera.current?.click()}>
            拍照
          </Button>
          <Button size="large" type="dashed" icon={<PictureOutlined />} onClick={() => gallery.current?.click()}>
            相册
          </Button>
        </>
      )}
      <FileInput label="拍照" input={camera} capture onFiles={(files) => void add(files, true)} />
      <FileInput label="选择文件" input={gallery} many={max > 1} onFiles={(files) => void add(files, false)} />
    </div>
  )
}

async function kept(file: File, placed: boolean): Promise<string | undefined> {
  if (!accepts(accept, file)) {
    notify.error(`${file.name} 的格式不符，请选择 ${acceptWords(accept)}`)
    return undefined
  }
  if (file.size > mostMb * 1024 ** 2) {
    notify.error(`${file.name} 超过 ${mostMb} MB`)
    return undefined
  }
  try {
    return await keepPhoto(file, placed)
  } catch (error) {
    if (error instanceof TooLarge) {
      notify.error(error.message)
      return undefined
    }
    if (!isFull(error)) throw error
  }
  // A full device: the photograph goes to the server at once, or is refused in words.
  try {
    const { file: sent } = await shrunk(file)
    return await storeFile(new File([sent], file.name, { type: sent.type, lastModified: file.lastModified }))
  } catch (error) {
    notify.error('本机存储已满且没有网络，照片未保存。请清理空间或联网后重拍')
    showFailure(error)
    return undefined
  }
}

function FileInput({
  label,
  input,
  capture = false,
  many = false,
  onFiles,
}: {
  label: string
  input: React.RefObject<HTMLInputElement | null>
  capture?: boolean
  many?: boolean
  onFiles: (files: File[]) => void
}) {
  return (
    <input
      ref={input}
      type="file"
      hidden
      aria-label={label}
      accept={accept}
      multiple={many}
      capture={capture ? 'environment' : undefined}
      onChange={(event) => {
        onFiles([...(event.target.files ?? [])])
        event.target.value = ''
      }}
    />
  )
}

/** A photograph on the device or on the server. */
export function FieldThumb({ address, name = '照片' }: { address: string | undefined; name?: string }) {
  const { src, small } = useFileSource(address)
  return <Thumb src={src} small={small} name={name} width={96} height={72} />
}
