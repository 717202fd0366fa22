import { PageModal } from '#kit/overlay.tsx'
import { Copyable } from './copyable.tsx'

/** A new secret, shown only once; then continues to the next step. */
export function ShownOnce({
  title,
  secret,
  what,
  next,
  onNext,
  onClose,
}: {
  title: string
  secret: string | undefined
  /** Name of the secret: 密钥, 密码. */
  what: string
  next: string
  onNext: () => void
  onClose: () => void
}) {
  const leave = () => {
    onNext()
    onClose()
  }
  return (
    <PageModal open={secret !== undefined} title={title} okText={`已保存，${next}`} cancelText="关闭" onOk={leave} onCancel={onClose}>
      {secret !== undefined && <Copyable text={secret} label={`复制${what}`} />}
    </PageModal>
  )
}
