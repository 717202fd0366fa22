import { FileTextOutlined } from '@ant-design/icons'
import { useState } from 'react'

/** Preview of a scan: an image is shown, any other file is a link. */
export function PaperScan({ file, name }: { file: string | undefined; name: string }) {
  const [drawn, setDrawn] = useState(true)
  if (!file) return <div className="scan">未上传</div>
  return (
    <a className="scan" href={file} target="_blank" rel="noreferrer" aria-label={`打开${name}`}>
      {drawn ? <img src={file} alt="" loading="lazy" onError={() => setDrawn(false)} /> : <FileTextOutlined />}
    </a>
  )
}
