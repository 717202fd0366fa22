import { CloseCircleFilled } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { confirmDanger } from './ask.ts'
import { useSaveKey } from './form-engine.tsx'
import { useFirstWrong } from './form-frame.tsx'
import { PageDrawer } from './overlay.tsx'
import { usePage } from './page.tsx'
import { useUnsaved } from './unsaved.ts'

export interface FormSheetProps {
  title: string
  /** A note beside the buttons: what saving does. */
  remark?: ReactNode
  saveText?: string
  saving: boolean
  onSave: () => unknown
  onClose: () => void
  /** Messages by field; when they change, the drawer scrolls to the first element with `data-wrong`. */
  errors: Readonly<Record<string, string>>
  /** There are unsaved changes: closing asks for confirmation. */
  dirty: boolean
  width?: number
  children: ReactNode
}

/** A drawer for a form that holds its own values. As in `FormDrawer`, Ctrl+Enter saves, and errors are counted and shown. */
export function FormSheet({ title, remark, saveText = '保存', saving, onSave, onClose, errors, dirty, width, children }: FormSheetProps) {
  const page = usePage()
  const { box, show } = useFirstWrong(errors)
  const wrong = Object.keys(errors).length
  useUnsaved(dirty, page.cacheKey, title)
  useSaveKey(box, onSave)
  const close = async () => {
    const mayGo =
      !dirty ||
      (await confirmDanger({ thing: '放弃已填写的内容', consequence: '关闭后填写的内容不再保留。', verb: '放弃', keep: '继续填写' }))
    if (mayGo) onClose()
  }
  return (
    <PageDrawer
      open
      size={width ?? 720}
      title={title}
      onClose={() => void close()}
      footer={
        <div className="zg-drawer-foot zg-row zg-middle">
          {wrong > 0 ? (
            <span className="tone-danger" role="status">
              <CloseCircleFilled /> {wrong} 处错误{' '}
              <button type="button" className="zg-bare zg-link" onClick={show}>
                去修改
              </button>
            </span>
          ) : (
            <span className="zg-2">{remark}</span>
          )}
          <Button className="zg-end zg-h-32" onClick={() => void close()}>
            取消
          </Button>
          <Button type="primary" className="zg-h-32" loading={saving} onClick={() => void onSave()}>
            {saveText}
          </Button>
        </div>
      }
    >
      <div ref={box}>{children}</div>
    </PageDrawer>
  )
}
