import { CameraOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { maxUploadMb, uploadFile } from '@zhugong/contract/files/endpoints'
import { Button, Input, InputNumber, Progress, Select } from 'antd'
import { type ComponentType, lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { accepts, acceptWords } from './accepts.ts'
import { showFailure, upload } from './call.ts'
import { whenCalm } from './calm.ts'
import { colors } from './colors.ts'
import type { Control, DateProps, TreeChoiceProps } from './control.ts'
import { fileNameFrom } from './format.ts'
import { hashOf } from './hash.ts'
import { useLargeFiles } from './large-files.ts'
import { laterDialog } from './later-dialog.tsx'
import type { Option } from './list-state.ts'
import { notify } from './notify.ts'
import { shrunk, smallPicture } from './shrink.ts'
import { Thumb } from './viewers.tsx'

/** Controls for forms. Values have the contract's types: texts, numbers, cents; never objects of a library. */

const wide = { width: '100%' }

// Calendars and trees are larger than a page, so they are loaded when the first one is shown.
const picker = <P,>(pick: (file: typeof import('./pickers.tsx')) => ComponentType<P>) =>
  lazy(async () => {
    await whenCalm()
    return { default: pick(await import('./pickers.tsx')) }
  })
const Pickers = {
  Date: picker((file) => file.DateControl),
  Clock: picker((file) => file.ClockControl),
  TreeChoice: picker((file) => file.TreeControl),
  AreaInput: picker((file) => file.AreaControl),
}
const later = (control: ReactNode) => <Suspense fallback={<div className="zg-bone" style={{ height: 28 }} />}>{control}</Suspense>

/** yyyy-MM-dd */
export const DayInput = (props: DateProps) => later(<Pickers.Date picker="date" format="YYYY-MM-DD" {...props} />)
/** yyyy-MM-dd HH:mm:ss */
export const TimeInput = (props: DateProps) => later(<Pickers.Date picker="date" format="YYYY-MM-DD HH:mm:ss" showTime {...props} />)
/** yyyy-MM */
export const MonthInput = (props: DateProps) => later(<Pickers.Date picker="month" format="YYYY-MM" {...props} />)
/** yyyy @public */
export const YearInput = (props: DateProps) => later(<Pickers.Date picker="year" format="YYYY" {...props} />)
/** HH:mm */
export const ClockInput = (props: Control<string>) => later(<Pickers.Clock {...props} />)

/** Displays yuan, holds cents. */
export function MoneyInput({ value, onChange, ...rest }: Control<number>) {
  return (
    <InputNumber
      {...rest}
      style={wide}
      min={0}
      precision={2}
      suffix="元"
      value={value === undefined || value === null ? null : value / 100}
      onChange={(yuan) => onChange?.(yuan === null ? undefined : Math.round(yuan * 100))}
    />
  )
}

export function NumberInput({
  value,
  onChange,
  unit,
  ...rest
}: Control<number> & { unit?: string; min?: number; max?: number; precision?: number; step?: number }) {
  return (
    <InputNumber
      {...rest}
      style={wide}
      controls={false}
      suffix={unit || undefined}
      value={value ?? null}
      formatter={(shown, { userTyping, input }) => (userTyping ? input : withoutTail(shown))}
      onChange={(n) => onChange?.(n ?? undefined)}
    />
  )
}

/** `50000.0000` as `50000`, `0.1250` as `0.125`: trailing zeros beyond two decimals are not shown. */
function withoutTail(shown: number | undefined): string {
  const text = String(shown ?? '')
  return /\.\d{3,}$/.test(text) ? text.replace(/\.?0+$/, '') : text
}

/** A number of a setting, which is never empty: clearing it restores the current value. */
export function NumberKnob({
  label,
  unit,
  range: [min, max],
  digits = 0,
  value,
  fallback,
  onChange,
}: {
  label: string
  unit: string
  range: readonly [number, number]
  /** Number of decimals; the arrows step by the last one. */
  digits?: number
  value: number
  fallback: number
  onChange: (next: number) => void
}) {
  return (
    <NumberInput
      aria-label={label}
      unit={unit}
      min={min}
      max={max}
      precision={digits}
      step={10 ** -digits}
      value={value}
      onChange={(n) => onChange(n ?? fallback)}
    />
  )
}

/** A single choice with search and clear button. */
export function Choice({
  value,
  onChange,
  options,
  clear = true,
  ...rest
}: Control<string> & { options: readonly Option[]; clear?: boolean; loading?: boolean }) {
  // Until the options are loaded the chosen value has no name; show nothing rather than its id.
  const named = !rest.loading || options.some((one) => one.value === value)
  return (
    <Select
      {...rest}
      {...(named ? {} : { placeholder: '加载中' })}
      style={wide}
      showSearch={{ optionFilterProp: 'label' }}
      allowClear={clear}
      value={named ? (value ?? null) : null}
      options={options as Option[]}
      onChange={(next: string | null) => onChange?.(next ?? undefined)}
    />
  )
}

/** Chosen entries are shown by name, so that none is overlooked. Beyond this number only a count is shown. */
const mostTags = 30

/** Multiple choice from a list. */
export function Choices({ value, onChange, options, ...rest }: Control<string[]> & { options: readonly Option[]; loading?: boolean }) {
  const named = !rest.loading || value?.every((chosen) => options.some((one) => one.value === chosen))
  return (
    <Select
      {...rest}
      {...(named ? {} : { placeholder: '加载中' })}
      style={wide}
      mode="multiple"
      maxTagCount={mostTags}
      showSearch={{ optionFilterProp: 'label' }}
      value={named ? (value ?? []) : []}
      options={options as Option[]}
      onChange={(next: string[]) => onChange?.(next)}
    />
  )
}

/** Single choice in a tree. */
export const TreeChoice = (props: TreeChoiceProps) => later(<Pickers.TreeChoice {...props} />)

/** Province, city, district; the value is the code of the lowest chosen level. */
export const AreaInput = (props: Control<string>) => later(<Pickers.AreaInput {...props} />)

export function LongText({ value, onChange, rows = 3, ...rest }: Control<string> & { rows?: number; maxLength?: number }) {
  return <Input.TextArea {...rest} rows={rows} value={value ?? ''} onChange={(event) => onChange?.(event.target.value)} />
}

export interface UploadProps {
  /** Addresses of stored files. */
  value?: string[] | null
  onChange?: (value: string[]) => void
  max?: number
  accept?: string
  /** Maximum file size in MB. */
  maxMb?: number
  disabled?: boolean
  id?: string
  /** Offers the camera too: `user` for the person in front of the screen, `environment` for a document or object. */
  camera?: 'user' | 'environment'
}

const CameraDialog = laterDialog(() => import('./camera-dialog.tsx').then((file) => file.CameraDialog))

/** A photograph that is too large for one request is shrunk; its place and time stay in it. */
async function fitting(file: File): Promise<File> {
  if (!file.type.startsWith('image/') || file.size <= maxUploadMb * 1024 ** 2) return file
  const { file: body } = await shrunk(file)
  return new File([body], file.name, { type: body.type, lastModified: file.lastModified })
}

/** Uploads a file of up to `maxUploadMb` and returns its address. */
export async function storeFile(chosen: File, onProgress?: (share: number) => void): Promise<string> {
  const file = await fitting(chosen)
  const form = new FormData()
  // Fields come before the file, so that the server has them when the file arrives.
  form.append('takenAt', String(file.lastModified))
  const hash = await hashOf(file)
  if (hash) form.append('sha256', hash)
  const small = await smallPicture(file)
  if (small) form.append('small', small, 'small.jpg')
  form.append('file', file)
  return (await upload(uploadFile, form, { onProgress })).url
}

export const isPicture = (address: string) => /\.(png|jpe?g|gif|webp|bmp|svg)(\?|$)/i.test(address) || address.includes('/tool/image')

/** Larger files, other than pictures, are sent in parts: a break of the network does not cost them. */
const largeFromBytes = 8 * 1024 ** 2
/** Types that the server takes in parts only, whatever their size. */
const inParts = /\.(zip|dwg|mp4|doc|xls|ppt|wps|et|dps|ofd|txt)$/i
export const goesInParts = ({ name, size, type }: File): boolean =>
  !type.startsWith('image/') && (size > largeFromBytes || inParts.test(name))

/** File upload; a file counts only when the server has confirmed it. Large ones go on after a break of the network and after a reload. */
export function Upload({ value, onChange, max = 6, accept = 'image/*', maxMb = 20, disabled, id, camera }: UploadProps) {
  const input = useRef<HTMLInputElement>(null)
  const [sending, setSending] = useState<{ name: string; share: number }[]>([])
  const [taking, setTaking] = useState(false)
  const files = value ?? []
  const latest = useRef(files)
  latest.current = files
  const add = (url: string) => {
    if (latest.current.includes(url)) return
    latest.current = [...latest.current, url]
    onChange?.(latest.current)
  }
  const large = useLargeFiles(id ?? '', maxMb * 1024 ** 2 > largeFromBytes && !disabled, add)
  const send = async (chosen: File[]) => {
    for (const file of chosen.slice(0, max - files.length)) {
      if (!accepts(accept, file)) {
        notify.error(`${file.name} 的格式不符，请上传 ${acceptWords(accept)}`)
        continue
      }
      if (file.size > maxMb * 1024 ** 2) {
        notify.error(`${file.name} 超过 ${maxMb} MB`)
        continue
      }
      if (goesInParts(file)) {
        large.send(file)
        continue
      }
      const entry = { name: file.name, share: 0 }
      setSending((now) => [...now, entry])
      try {
        const url = await storeFile(file, (share) =>
          setSending((now) => now.map((one) => (one.name === file.name ? { ...one, share } : one))),
        )
        add(url)
      } catch (error) {
        showFailure(error)
      } finally {
        setSending((now) => now.filter((one) => one.name !== file.name))
      }
    }
  }
  return (
    <div className="zg-row zg-wrap">
      {files.map((address) => (
        <div key={address} style={{ position: 'relative' }}>
          {isPicture(address) ? <Thumb src={address} width={72} height={54} /> : <a href={address}>{fileNameFrom(address)}</a>}
          {!disabled && (
            <button
              type="button"
              className="zg-bare"
              aria-label={`删除 ${fileNameFrom(address)}`}
              style={{ position: 'absolute', right: 2, top: 2, background: colors.white, borderRadius: 3, padding: '0 3px' }}
              onClick={() => onChange?.(files.filter((one) => one !== address))}
            >
              <DeleteOutlined />
            </button>
          )}
        </div>
      ))}
      {sending.map((one) => (
        <div key={one.name} style={{ width: 120, fontSize: 12 }}>
          {one.name}
          <Progress percent={Math.round(one.share * 100)} size="small" showInfo={false} />
        </div>
      ))}
      {large.files.map((one) => (
        <div key={one.key} className="zg-large-file">
          <span>{one.name}</span>
          <Progress percent={Math.round(one.share * 100)} size="small" aria-label={`${one.name} 上传进度`} />
          <small className="zg-2">{one.reading ? '读取文件' : one.share >= 1 ? '服务器校验中' : '断网或刷新后自动续传'}</small>
          <button type="button" className="zg-bare zg-link" aria-label={`取消 ${one.name}`} onClick={() => large.cancel(one.key)}>
            取消
          </button>
        </div>
      ))}
      {!disabled && files.length < max && (
        <Button id={id} type="dashed" icon={<PlusOutlined />} className="zg-add-file" onClick={() => input.current?.click()}>
          上传
        </Button>
      )}
      {!disabled && camera && files.length < max && (
        <Button type="dashed" icon={<CameraOutlined />} className="zg-add-file" onClick={() => setTaking(true)}>
          拍照
        </Button>
      )}
      {taking && camera && <CameraDialog facing={camera} onTake={(file) => void send([file])} onClose={() => setTaking(false)} />}
      <input
        ref={input}
        type="file"
        hidden
        aria-label="选择文件"
        multiple={max > 1}
        accept={accept}
        onChange={(event) => {
          void send([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </div>
  )
}
