import { UserOutlined } from '@ant-design/icons'
import './face.css'

/** A small face beside a name; a plain figure where there is none, so that names stay in line. */
export function Face({ src, size = 24 }: { src: string | null | undefined; size?: number }) {
  return (
    <span className="per-face" style={{ width: size, height: size }}>
      {src ? <img src={src} alt="" loading="lazy" /> : <UserOutlined aria-hidden />}
    </span>
  )
}
