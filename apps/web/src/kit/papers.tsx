import { FilePdfOutlined } from '@ant-design/icons'
import { isPicture } from './inputs.tsx'
import { Thumb } from './viewers.tsx'

/** Attached papers: pictures as thumbnails, other files as links. */
export function Papers({ files, name }: { files: readonly string[]; name: string }) {
  if (files.length === 0) return <span className="zg-2">未上传</span>
  return (
    <span className="zg-row zg-wrap zg-gap-6">
      {files.map((file, at) =>
        isPicture(file) ? (
          <Thumb key={file} src={file} name={`${name} ${at + 1}`} width={72} height={54} />
        ) : (
          <a key={file} href={file} target="_blank" rel="noreferrer">
            <FilePdfOutlined /> {name} {at + 1}
          </a>
        ),
      )}
    </span>
  )
}
