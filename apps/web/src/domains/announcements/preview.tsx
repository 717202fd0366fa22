import { Segmented } from 'antd'
import { useState } from 'react'
import { PageModal } from '#kit/overlay.tsx'
import { NoticePaper, type Paper } from './paper.tsx'

const widths = { wide: '电脑', phone: '手机' } as const
type Width = keyof typeof widths
const modalPx = 880

/** The notice as its readers will see it, also at the width of a phone. */
export function NoticePreview({ paper, onClose }: { paper: Paper; onClose: () => void }) {
  const [width, setWidth] = useState<Width>('wide')
  return (
    <PageModal open title="预览" width={modalPx} footer={null} onCancel={onClose}>
      <Segmented
        aria-label="预览宽度"
        value={width}
        options={Object.entries(widths).map(([value, label]) => ({ value: value as Width, label }))}
        onChange={setWidth}
      />
      <div className="notice-preview" data-width={width}>
        <NoticePaper paper={paper} />
      </div>
    </PageModal>
  )
}
