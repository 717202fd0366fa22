import type { ApprovalDetail } from '@zhugong/contract/workflow/endpoints'
import { Link } from 'react-router'
import { Card, Empty, Notice, Pairs } from '#kit/feedback.tsx'
import { fileNameFrom } from '#kit/format.ts'
import { Thumb } from '#kit/viewers.tsx'

const isPicture = (address: string) => /\.(png|jpe?g|webp)(\?|$)/i.test(address) || !/\.\w+(\?|$)/.test(address)
const words = (value: string | null) => (value === null || value === '' ? <span className="zg-2">空</span> : value)

/** The document of an item: changed fields first, then the others, then attachments. */
export function ApprovalDocument({ file }: { file: ApprovalDetail }) {
  const { document } = file
  if (!document)
    return (
      <Card title="单据">
        <Empty small text="您已不能查看此单据" hint="事项与经过仍可查看" />
      </Card>
    )
  return (
    <>
      {file.changed.length > 0 && (
        <Notice tone="danger">
          单据在提交后已有变化，须由发起人重新提交后才能办理
          <Differences title="提交时" after="现在" of={file.changed} />
        </Notice>
      )}
      {file.findings.map(({ level, text }) => (
        <Notice key={text} tone={level === 'bad' ? 'danger' : level === 'warn' ? 'warning' : 'fine'}>
          {text}
        </Notice>
      ))}
      <Card title="单据" remark={file.code} actions={file.link && <Link to={file.link}>打开原单</Link>}>
        {document.changes.length > 0 && <Differences title="变更前" after="变更后" of={document.changes} />}
        <Pairs items={document.fields.map((f) => ({ ...f, wide: (f.value?.length ?? 0) > 40 }))} />
        {document.files.length > 0 && (
          <div className="flow-files">
            {document.files.map((address, i) =>
              isPicture(address) ? (
                <Thumb key={address} src={address} name={`附件 ${i + 1}`} width={96} height={72} />
              ) : (
                <a key={address} href={address} target="_blank" rel="noreferrer">
                  {fileNameFrom(address)}
                </a>
              ),
            )}
          </div>
        )}
      </Card>
    </>
  )
}

function Differences({ title, after, of }: { title: string; after: string; of: ApprovalDetail['changed'] }) {
  return (
    <table className="flow-changes">
      <thead>
        <tr>
          <th scope="col">内容</th>
          <th scope="col">{title}</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {of.map((one) => (
          <tr key={one.label}>
            <th scope="row">{one.label}</th>
            <td>{words(one.before)}</td>
            <td>
              <b>{words(one.after)}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
