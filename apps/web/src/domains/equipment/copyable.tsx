import { CopyOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { notify } from '#kit/notify.ts'
import './equipment.css'

/** Text with a copy button. */
export function Copyable({ text, label = '复制', onCopied }: { text: string; label?: string; onCopied?: () => void }) {
  return (
    <div className="eq-copy">
      <code>{text}</code>
      <Button
        size="small"
        icon={<CopyOutlined />}
        onClick={() => {
          navigator.clipboard.writeText(text).then(
            () => {
              notify.success('已复制')
              onCopied?.()
            },
            () => notify.warning('浏览器不允许复制，请选中文字复制'),
          )
        }}
      >
        {label}
      </Button>
    </div>
  )
}
