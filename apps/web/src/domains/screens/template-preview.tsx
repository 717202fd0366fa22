import { canvas } from '@zhugong/contract/screens/catalogue'
import type { ScreenBody } from '@zhugong/contract/screens/model'
import { Segmented } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { Hub } from './hub.ts'
import { Wall } from './wall.tsx'

/** Preview widths in pixels. */
export const previewWidths = [1366, 1920, 2560, 3840] as const
type Width = (typeof previewWidths)[number]

export interface PreviewProps {
  hub: Hub
  level: number
  body: ScreenBody
  title: string
}

/** The wall at a screen width, scaled to fit or at original size. */
export function WidthPreview({ hub, level, body, title }: PreviewProps) {
  const room = useRef<HTMLDivElement>(null)
  const [space, setSpace] = useState(0)
  const [width, setWidth] = useState<Width>(1920)
  const [size, setSize] = useState<'fit' | 'dots'>('fit')
  useEffect(() => {
    const element = room.current
    if (!element) return
    const observer = new ResizeObserver(() => setSpace(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const height = Math.round((width * canvas.height) / canvas.width)
  const scale = size === 'fit' ? Math.min(1, space / width) : 1
  return (
    <div className="screen-widths">
      <div className="screen-widths-bar">
        <Segmented
          aria-label="屏幕宽度"
          value={width}
          options={previewWidths.map((one) => ({ value: one, label: `${one} × ${Math.round((one * canvas.height) / canvas.width)}` }))}
          onChange={setWidth}
        />
        <Segmented
          aria-label="显示"
          value={size}
          options={[
            { value: 'fit', label: '整屏' },
            { value: 'dots', label: '原始大小' },
          ]}
          onChange={setSize}
        />
        <span className="zg-2">真实数据；{size === 'fit' && scale < 1 ? `缩小到 ${Math.round(scale * 100)} %` : '一点对一点'}</span>
      </div>
      <div ref={room} className="screen-widths-room" tabIndex={size === 'dots' ? 0 : undefined}>
        <div className="screen-widths-frame" style={{ width: width * scale, height: height * scale }}>
          <div className="screen-widths-wall" style={{ width, height, transform: `scale(${scale})` }}>
            <Wall hub={hub} level={level} body={body} setting={undefined} title={title} logo={null} closed={[]} mode="preview" />
          </div>
        </div>
      </div>
    </div>
  )
}
