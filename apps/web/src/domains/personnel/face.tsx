import { UserOutlined } from '@ant-design/icons'
import { smallOf } from '#kit/small-picture.ts'
import './face.css'

/** Larger portraits, in pixels, are shown as they were taken. */
const mostSmallSize = 120

/** Small portrait beside a name; a placeholder without a photo, so that names stay aligned. */
export function Face({ src, size = 24 }: { src: string | null | undefined; size?: number }) {
  return (
    <span className="per-face" style={{ width: size, height: size }}>
      {src ? <img src={size > mostSmallSize ? src : smallOf(src)} alt="" loading="lazy" /> : <UserOutlined aria-hidden />}
    </span>
  )
}
