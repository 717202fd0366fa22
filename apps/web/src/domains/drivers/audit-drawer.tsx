import { auditDriver, getDriver, listDrivers } from '@zhugong/contract/drivers/calls'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Empty, Known } from '#kit/feedback.tsx'
import { useProjectScope } from '#kit/me.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { Papers } from '#kit/papers.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { ItemText, Lines } from '#kit/work-item.tsx'

const mostAtOnce = 100

/** Steps from one waiting driver to the next. */
export function AuditDrawer({ onClose }: { onClose: () => void }) {
  const scope = useProjectScope()
  const read = useCall(listDrivers, { query: { ...scope, auditStatus: '0', page: 1, size: mostAtOnce } }, { quiet: true, staleMs: 0 })
  const [skipped, setSkipped] = useState<readonly string[]>([])
  const waiting = (read.data?.list ?? []).filter((one) => !skipped.includes(one.id))
  const [next] = waiting
  return (
    <PageDrawer open size={560} title={`审核司机${next ? `，还有 ${waiting.length} 人` : ''}`} onClose={onClose}>
      <Known of={read}>
        {next ? (
          <One key={next.id} id={next.id} onSkip={() => setSkipped([...skipped, next.id])} />
        ) : (
          <Empty text="没有待审核的司机">
            <Button onClick={onClose}>关闭</Button>
          </Empty>
        )}
      </Known>
    </PageDrawer>
  )
}

function One({ id, onSkip }: { id: string; onSkip: () => void }) {
  const read = useCall(getDriver, { params: { id } }, { quiet: true, staleMs: 0 })
  const [remark, setRemark] = useState('')
  const act = useAct(auditDriver, { success: '已审核' })
  const file = read.data
  const may = file?.actions.some((one) => one.action === 'pass') ?? false
  const decide = (auditStatus: '1' | '2') =>
    void act.run({ params: { id }, body: { auditStatus, version: file?.version, auditRemark: remark || null } }, { fieldsShown: true })
  return (
    <Known of={read}>
      {file && (
        <div className="driver-audit">
          <div className="zg-row">
            {file.photo && <Thumb src={file.photo} name={file.name} width={72} height={90} />}
            <div>
              <h3>{file.name}</h3>
              <p className="zg-2">
                {file.projectName}，{file.driverTypeName}
              </p>
              <p className="zg-2">{file.devices.map((one) => one.name).join('、')}</p>
            </div>
          </div>
          <Lines title="核对" lines={file.checks} />
          <p>
            {file.certTypeName}　<span className="zg-num">{file.certNo}</span>　至 {file.certValidEnd}
          </p>
          <Papers files={file.certFiles} name="操作证" />
          <ItemText label="审核意见" hint="驳回须填写" value={remark} onChange={setRemark} problem={act.fieldErrors?.auditRemark} />
          <div className="zg-row">
            {may ? (
              <>
                <Button type="primary" loading={act.running} onClick={() => decide('1')}>
                  通过
                </Button>
                <Button danger loading={act.running} onClick={() => decide('2')}>
                  驳回
                </Button>
              </>
            ) : (
              <span className="zg-2">自己登记的司机由他人审核</span>
            )}
            <Button onClick={onSkip}>跳过</Button>
          </div>
        </div>
      )}
    </Known>
  )
}
