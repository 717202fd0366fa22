import { CloseOutlined } from '@ant-design/icons'
import type { openDocument } from '@zhugong/contract/documents/calls'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { usePage } from '#kit/page.tsx'
import './documents.css'

export type Opened = OutputFor<typeof openDocument>
const marks = Array.from({ length: 60 }, (_, i) => i)

/** A document above the page, under the reader's name where it is restricted. */
export function Preview({ file, onHide }: { file: Opened; onHide: () => void }) {
  const { active } = usePage()
  const box = useRef<HTMLDivElement>(null)
  const address = usePdf(file)
  useEffect(() => box.current?.focus(), [])
  if (!active) return null
  return createPortal(
    <div
      ref={box}
      className="zg-viewer doc-viewer"
      role="dialog"
      aria-modal="true"
      aria-label={`预览 ${file.name}`}
      tabIndex={-1}
      onKeyDown={(event) => event.key === 'Escape' && onHide()}
    >
      <div className="bar">
        <span className="zg-line">{file.name}</span>
        <button type="button" className="zg-bare zg-end" aria-label="关闭预览" onClick={onHide}>
          <CloseOutlined />
        </button>
      </div>
      <div className="body">
        {file.preview === 'image' && <img src={file.url} alt={file.name} />}
        {file.preview === 'video' && (
          // biome-ignore lint/a11y/useMediaCaption: films of sites have no captions.
          <video src={file.url} controls controlsList={file.watermark ? 'nodownload' : undefined}>
            您的浏览器不支持播放视频
          </video>
        )}
        {file.preview === 'pdf' && address && <iframe src={file.watermark ? `${address}#toolbar=0` : address} title={file.name} />}
        {file.watermark && (
          <div className="marks" aria-hidden="true">
            {marks.map((i) => (
              <span key={i}>{file.watermark}</span>
            ))}
          </div>
        )}
      </div>
    </div>,
    document.body,
  )
}

/** The server hands files out to be saved; the browser shows a copy that the page holds. */
function usePdf({ url, preview }: Opened): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (preview !== 'pdf') return
    let made: string | undefined
    let gone = false
    void fetch(url)
      .then((answer) => answer.arrayBuffer())
      .then((body) => {
        if (gone) return
        made = URL.createObjectURL(new Blob([body], { type: 'application/pdf' }))
        setAddress(made)
      })
    return () => {
      gone = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [url, preview])
  return address
}
