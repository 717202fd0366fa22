import { outcomes } from '@zhugong/contract/docking/codes'
import { getRecord, lookRecord, pushRecords, type RecordDetail } from '@zhugong/contract/docking/queue'
import { objectOf } from '@zhugong/contract/docking/standard'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DetailSkeleton, Empty, ErrorPanel, Notice, Tag, type Tone } from '#kit/feedback.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { isFailed, mendHref, opName } from './docking-words.ts'
import { UploadTag } from './upload-tag.tsx'

/** One row of the queue: its state, what was sent, and every answer as received. */
export function RecordDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useCall(getRecord, { params: { id } }, { quiet: true, staleMs: 0 })
  return (
    <PageDrawer open size={760} title={data ? `${objectOf(data.objectType).name}　${data.bizName}` : '上传记录'} onClose={onClose}>
      {error ? <ErrorPanel error={error} retry={refetch} /> : data ? <Body row={data} /> : <DetailSkeleton />}
    </PageDrawer>
  )
}

const tones: Readonly<Record<keyof typeof outcomes, Tone>> = {
  stored: 'fine',
  duplicate: 'fine',
  absent: 'fine',
  locked: 'maintenance',
  later: 'running',
  refused: 'danger',
  held: 'danger',
  trouble: 'warning',
}

function Body({ row }: { row: RecordDetail }) {
  const push = useAct(pushRecords, { success: '已重新排队' })
  const mend = mendHref(row.objectType, row.sourceId)
  return (
    <div className="dock-detail">
      <dl className="dock-facts">
        <dt>项目</dt>
        <dd>{row.projectName}</dd>
        <dt>上级平台</dt>
        <dd>{row.platformName}</dd>
        <dt>状态</dt>
        <dd>
          <UploadTag status={row.uploadStatus} /> {opName(row.op)}
        </dd>
        <dt>排队</dt>
        <dd>{row.queuedTime}</dd>
        <dt>回执</dt>
        <dd>{row.receiptNo ? `${row.receiptNo}（${row.receiptTime}）` : (row.receiptTime ?? '--')}</dd>
        <dt>映射版本</dt>
        <dd>{row.mappingVersion === null ? '--' : row.mappingVersion === 0 ? '出厂' : `第 ${row.mappingVersion} 版`}</dd>
      </dl>
      {row.waitFor && <Notice tone="info">等待：{row.waitFor}。前序成功后自动上传，无需操作</Notice>}
      {row.errorText && (
        <Notice
          tone={isFailed(row.uploadStatus) ? 'danger' : 'warning'}
          actions={
            isFailed(row.uploadStatus) && (
              <>
                {mend && <Link to={mend}>去补录</Link>}
                <Can call={pushRecords} at={{ projectCode: row.projectCode }}>
                  <Button size="small" loading={push.running} onClick={() => void push.run({ body: { id: row.id } })}>
                    重推
                  </Button>
                </Can>
              </>
            )
          }
        >
          {row.errorText}
          {row.mender && ` · 由${row.mender}`} {row.errorCode && <small className="zg-2">{row.errorCode}</small>}
        </Notice>
      )}
      <Sent row={row} />
      <section>
        <h3>各次上传</h3>
        {row.tries.length === 0 && <Empty small text="还没有上传过" />}
        <ol className="dock-tries">
          {row.tries.map((one) => (
            <li key={one.id}>
              <Tag tone={tones[one.outcome]}>{outcomes[one.outcome]}</Tag> {one.at}
              <span className="zg-2">用时 {one.tookMs} 毫秒</span>
              {one.answer && <pre>{one.answer}</pre>}
            </li>
          ))}
        </ol>
      </section>
    </div>
  )
}

function Sent({ row }: { row: RecordDetail }) {
  const [clear, setClear] = useState<RecordDetail['sent']>()
  const look = useAct(lookRecord, { success: false, refreshes: [], onDone: ({ sent }) => setClear(sent) })
  const show = async () => {
    const reason = await askReason('查看上传明文', '查看事由')
    if (reason) await look.run({ params: { id: row.id }, body: { reason } })
  }
  const sent = clear ?? row.sent
  return (
    <section>
      <h3>
        上传内容
        {sent.some((field) => field.personal) && (
          <Can call={lookRecord} at={{ projectCode: row.projectCode }}>
            <Button type="link" size="small" onClick={() => (clear ? setClear(undefined) : void show())}>
              {clear ? '遮盖' : '查看明文'}
            </Button>
          </Can>
        )}
      </h3>
      {sent.length === 0 ? (
        <Empty small text="没有发出内容" hint="缺少必填项或尚未轮到" />
      ) : (
        <table className="dock-table">
          <tbody>
            {sent.map((field) => (
              <tr key={field.upper}>
                <th scope="row">{field.label}</th>
                <td>
                  <code>{field.upper}</code>
                </td>
                <td>{field.value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
