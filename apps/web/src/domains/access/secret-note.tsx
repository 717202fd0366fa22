import { Button } from 'antd'
import { notify } from '#kit/notify.ts'
import { PageModal } from '#kit/overlay.tsx'
import './access.css'

/** Shows a new password once; it cannot be read again later. */
export function SecretNote({ title, secret, onClose }: { title: string; secret: string | undefined; onClose: () => void }) {
  return (
    <PageModal
      open={secret !== undefined}
      title={title}
      width={420}
      onCancel={onClose}
      onOk={onClose}
      okText="我已记下"
      cancelButtonProps={{ hidden: true }}
    >
      <p>初始密码只显示这一次，首次登录须修改：</p>
      <div className="acc-secret">
        <b>{secret}</b>
        <Button size="small" onClick={() => void navigator.clipboard.writeText(secret ?? '').then(() => notify.success('已复制'))}>
          复制
        </Button>
      </div>
    </PageModal>
  )
}
