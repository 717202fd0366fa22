import { type PointerEvent, useRef, useState } from 'react'
import { colors } from './colors.ts'

const size = { width: 320, height: 120 }
const stroke = 2.4

/** The drawing as a PNG file for upload. */
export const signatureFile = (name: string, png: string): File =>
  new File([Uint8Array.from(atob(png.slice(png.indexOf(',') + 1)), (c) => c.charCodeAt(0))], `${name}.png`, { type: 'image/png' })

/** A signature drawn by finger, pen or mouse; `onChange` receives a PNG once something has been drawn. */
export function SignaturePad({ onChange, problem }: { onChange: (png: string | undefined) => void; problem?: string | undefined }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawing = useRef(false)
  const [empty, setEmpty] = useState(true)
  const at = (event: PointerEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    return [((event.clientX - box.left) * size.width) / box.width, ((event.clientY - box.top) * size.height) / box.height] as const
  }
  const pen = () => {
    const context = canvas.current?.getContext('2d')
    if (context) Object.assign(context, { lineWidth: stroke, lineCap: 'round', lineJoin: 'round', strokeStyle: colors.text })
    return context
  }
  const begin = (event: PointerEvent<HTMLCanvasElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    drawing.current = true
    const context = pen()
    context?.beginPath()
    context?.moveTo(...at(event))
  }
  const go = (event: PointerEvent<HTMLCanvasElement>) => {
    if (!drawing.current) return
    const context = pen()
    context?.lineTo(...at(event))
    context?.stroke()
    setEmpty(false)
  }
  const end = () => {
    if (!drawing.current) return
    drawing.current = false
    onChange(canvas.current?.toDataURL('image/png'))
  }
  const clear = () => {
    canvas.current?.getContext('2d')?.clearRect(0, 0, size.width, size.height)
    setEmpty(true)
    onChange(undefined)
  }
  return (
    <div className="zg-pad">
      <div className="head">
        <span className="zg-label">手写签名</span>
        <button type="button" className="zg-bare zg-link" disabled={empty} onClick={clear}>
          重签
        </button>
      </div>
      <canvas
        ref={canvas}
        {...size}
        role="img"
        aria-label="在此手写签名"
        onPointerDown={begin}
        onPointerMove={go}
        onPointerUp={end}
        onPointerCancel={end}
      />
      {problem && <small className="tone-danger">{problem}</small>}
    </div>
  )
}

/** A drawn signature as the control of a field. */
export const SignatureInput = ({ onChange }: { value?: string; onChange?: (png: string | undefined) => void }) => (
  <SignaturePad onChange={(png) => onChange?.(png)} />
)
