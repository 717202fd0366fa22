import { CloseOutlined, DownloadOutlined, FileOutlined, RotateRightOutlined, ZoomInOutlined, ZoomOutOutlined } from '@ant-design/icons'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { saveAddress } from './call.ts'
import { dark } from './colors.ts'
import { fileNameFrom } from './format.ts'
import { usePage } from './page.tsx'
import { smallOf } from './small-picture.ts'
import { dragged, hideDelayMs, rotated, stillView, zoomed } from './viewer-state.ts'

export interface ImageViewerProps {
  src: string
  /** File name of the download; by default the last segment of the address. */
  name?: string
  visible: boolean
  onHide: () => void
}

/**
 * Picture above the page: wheel zooms, drag moves, buttons rotate by 90°. A click outside hides it after 100 ms and resets the rotation.
 */
export function ImageViewer({ src, name, visible, onHide }: ImageViewerProps) {
  const [view, setView] = useState(stillView)
  const grip = useRef<{ x: number; y: number } | undefined>(undefined)
  const box = useRef<HTMLDivElement>(null)
  const { active } = usePage()
  const hide = () =>
    setTimeout(() => {
      setView(stillView)
      onHide()
    }, hideDelayMs)
  const shown = visible && active
  useEffect(() => {
    if (shown) box.current?.focus()
  }, [shown])
  if (!shown) return null
  return createPortal(
    <div
      ref={box}
      className="zg-viewer"
      role="dialog"
      aria-modal="true"
      aria-label="查看图片"
      tabIndex={-1}
      onClick={(event) => event.target === event.currentTarget && hide()}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
      onWheel={(event) => setView((now) => zoomed(now, event.deltaY < 0))}
      onPointerMove={(event) => {
        const from = grip.current
        if (!from) return
        setView((now) => dragged(now, event.clientX - from.x, event.clientY - from.y))
        grip.current = { x: event.clientX, y: event.clientY }
      }}
      onPointerUp={() => {
        grip.current = undefined
      }}
    >
      <img
        src={src}
        alt={name ?? fileNameFrom(src)}
        draggable={false}
        style={{ transform: `translate(${view.x}px, ${view.y}px) rotate(${view.rotation}deg) scale(${view.scale})` }}
        onPointerDown={(event) => {
          grip.current = { x: event.clientX, y: event.clientY }
        }}
      />
      <div className="tools">
        <button type="button" className="zg-bare" aria-label="放大" onClick={() => setView((now) => zoomed(now, true))}>
          <ZoomInOutlined />
        </button>
        <button type="button" className="zg-bare" aria-label="缩小" onClick={() => setView((now) => zoomed(now, false))}>
          <ZoomOutOutlined />
        </button>
        <button type="button" className="zg-bare" aria-label="旋转" onClick={() => setView(rotated)}>
          <RotateRightOutlined />
        </button>
        <button type="button" className="zg-bare" aria-label="下载" onClick={() => saveAddress(src, name ?? fileNameFrom(src))}>
          <DownloadOutlined />
        </button>
        <button type="button" className="zg-bare" aria-label="关闭" onClick={hide}>
          <CloseOutlined />
        </button>
      </div>
    </div>,
    document.body,
  )
}

/** Thumbnails wider than this are sharp only from the picture itself. */
const mostSmallWidth = 240

/** A thumbnail that opens the viewer with the picture itself; a file that is no picture is a link to it. */
export function Thumb({
  src,
  small,
  name,
  width = 96,
  height = 72,
}: {
  src: string | null | undefined
  /** Address of a small picture, where it is not the one beside `src`. */
  small?: string | undefined
  name?: string
  width?: number
  height?: number
}) {
  const [visible, setVisible] = useState(false)
  const [undrawn, setUndrawn] = useState<string>()
  if (!src) return <span className="zg-2">--</span>
  const shown = small ?? (width > mostSmallWidth ? src : smallOf(src))
  if (undrawn === shown)
    return (
      <a className="zg-thumb none" style={{ width, height }} href={src} aria-label={`打开文件 ${name ?? ''}`}>
        <FileOutlined />
      </a>
    )
  return (
    <>
      <button
        type="button"
        className="zg-bare zg-thumb"
        style={{ width, height }}
        aria-label={`查看图片 ${name ?? ''}`}
        onClick={() => setVisible(true)}
      >
        <img src={shown} alt={name ?? ''} loading="lazy" onError={() => setUndrawn(shown)} />
      </button>
      <ImageViewer src={src} name={name} visible={visible} onHide={() => setVisible(false)} />
    </>
  )
}

export interface VideoViewerProps {
  src: string
  name?: string
  visible: boolean
  onHide: () => void
}

/** Video above the page with autoplay. @public */
export function VideoViewer({ src, name, visible, onHide }: VideoViewerProps) {
  const [broken, setBroken] = useState(false)
  const { active } = usePage()
  if (!visible || !active) return null
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users close with Escape or the close button.
    <div
      className="zg-viewer"
      role="dialog"
      aria-modal="true"
      aria-label="播放视频"
      onClick={(event) => event.target === event.currentTarget && onHide()}
    >
      <VideoBox src={src} fileName={name ?? fileNameFrom(src)} broken={broken} onBreak={() => setBroken(true)} onHide={onHide} />
    </div>,
    document.body,
  )
}

interface VideoBoxProps {
  src: string
  fileName: string
  /** The browser cannot play the file. */
  broken: boolean
  onBreak: () => void
  onHide: () => void
}

/** The video with its title bar, 1200 by 675 px; a text instead if it cannot be played. */
export function VideoBox({ src, fileName, broken, onBreak, onHide }: VideoBoxProps) {
  return (
    <div className="video">
      <div className="bar">
        {fileName}
        <span style={{ marginLeft: 'auto', display: 'flex', gap: 12 }}>
          <button type="button" className="zg-bare" aria-label="下载" onClick={() => saveAddress(src, fileName)}>
            <DownloadOutlined />
          </button>
          <button type="button" className="zg-bare" aria-label="关闭" onClick={onHide}>
            <CloseOutlined />
          </button>
        </span>
      </div>
      {broken ? (
        <div style={{ width: 1200, maxWidth: '100%', height: 675, color: dark.text, display: 'grid', placeItems: 'center' }}>
          编码不支持，请下载后播放
        </div>
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: site cameras have no captions.
        <video src={src} width={1200} height={675} controls autoPlay onError={onBreak}>
          您的浏览器不支持播放视频
        </video>
      )}
    </div>
  )
}
