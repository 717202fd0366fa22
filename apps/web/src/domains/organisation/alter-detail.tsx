import { pickGovernments } from '@zhugong/contract/organisation/governments'
import { type AlterDetail, getAlter } from '@zhugong/contract/organisation/project-alter'
import { Button } from 'antd'
import { useState } from 'react'
import { ApprovalSide } from '#domains/workflow/public.tsx'
import { useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { Card, Empty, Notice, Pairs } from '#kit/feedback.tsx'
import { fileNameFrom } from '#kit/format.ts'
import { Choice } from '#kit/inputs.tsx'
import { useGroupType, useProjectScope } from '#kit/me.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Thumb } from '#kit/viewers.tsx'
import { WorkItem } from '#kit/work-item.tsx'
import { AlterState } from './alter-words.tsx'

const drawerPx = 1000

/** One application: old and new values, papers, and its approval. */
export function AlterDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const scope = useProjectScope()
  const read = useCall(getAlter, { params: { id }, query: scope }, { quiet: true })
  const print = usePrint('projectAlterSheet')
  const [superviseOrg, setSuperviseOrg] = useState<string>()
  const isBody = (useGroupType() ?? 3) <= 1
  const alter = read.data
  const asksBody = alter?.waits && isBody && alter.differences.some(({ field }) => field === 'areaCode')
  return (
    <PageDrawer
      open
      size={drawerPx}
      title={null}
      closable={false}
      styles={{ body: { padding: 0, background: colors.ground } }}
      onClose={onClose}
    >
      <WorkItem
        title={alter ? `${alter.typeName}变更` : ''}
        tags={alter && <AlterState row={alter} />}
        facts={alter ? [{ label: '项目', value: alter.projectName }] : []}
        actions={
          <Button
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'projectAlterSheet', exportType: 'pdf', query: { id } } })}
          >
            打印审批表
          </Button>
        }
        waiting={!alter}
        error={read.error}
        retry={read.refetch}
        onClose={onClose}
        side={
          alter && (
            <>
              {asksBody && (
                <Card title="监督机构" remark="所在地变更后由哪个机构监督">
                  <Bodies value={superviseOrg} onChange={setSuperviseOrg} />
                </Card>
              )}
              {alter.itemId ? (
                <ApprovalSide itemId={alter.itemId} choice={superviseOrg ? { superviseOrg } : undefined} onDone={onClose} />
              ) : (
                <Events events={alter.events} />
              )}
            </>
          )
        }
      >
        {alter && <Paper alter={alter} />}
      </WorkItem>
    </PageDrawer>
  )
}

function Bodies({ value, onChange }: { value: string | undefined; onChange: (code: string | undefined) => void }) {
  const { data } = useCall(pickGovernments, { query: {} }, { quiet: true })
  return (
    <Choice
      aria-label="监督机构"
      value={value}
      onChange={onChange}
      options={(data?.list ?? []).map((one) => ({ value: one.code, label: one.name }))}
    />
  )
}

function Paper({ alter }: { alter: AlterDetail }) {
  return (
    <>
      {alter.moved.map(({ label, before, now }) => (
        <Notice key={label} tone="danger">
          原值已变化：{label}申请时为“{before ?? '未登记'}”，现为“{now ?? '未登记'}”
        </Notice>
      ))}
      {alter.hits.map((hit) => (
        <Notice key={hit} tone="danger">
          {hit}
        </Notice>
      ))}
      <Card title="变更内容" remark={alter.code}>
        <table className="flow-changes">
          <thead>
            <tr>
              <th scope="col">内容</th>
              <th scope="col">变更前</th>
              <th scope="col">变更后</th>
            </tr>
          </thead>
          <tbody>
            {alter.differences.map(({ field, label, before, after }) => (
              <tr key={field}>
                <th scope="row">{label}</th>
                <td>{before ?? <span className="zg-2">未登记</span>}</td>
                <td>
                  <b>{after}</b>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      <Card title="申请">
        <Pairs
          items={[
            { label: '申请', value: alter.applicant },
            { label: '申请时间', value: alter.createTime },
            { label: '变更原因', value: alter.reason, wide: true },
            ...(alter.person
              ? [
                  { label: '所在企业', value: alter.person.corpName },
                  { label: '证件号码', value: alter.person.idCardMask },
                  { label: '联系电话', value: alter.person.cellPhoneMask },
                ]
              : []),
            ...(alter.decidedName ? [{ label: '审定', value: `${alter.decidedName}，${alter.decideTime ?? ''}`, wide: true }] : []),
            ...(alter.opinion ? [{ label: '审定意见', value: alter.opinion, wide: true }] : []),
          ]}
        />
      </Card>
      <Files title="证明文件" addresses={alter.files} />
      {alter.person && <Files title="建设单位同意文件" addresses={alter.consent} />}
    </>
  )
}

const isPicture = (address: string) => /\.(png|jpe?g|webp)(\?|$)/i.test(address) || !/\.\w+(\?|$)/.test(address)

function Files({ title, addresses }: { title: string; addresses: readonly string[] }) {
  return (
    <Card title={title} remark={`${addresses.length} 份`}>
      {addresses.length === 0 ? (
        <Empty small text="没有文件" />
      ) : (
        <div className="flow-files">
          {addresses.map((address, i) =>
            isPicture(address) ? (
              <Thumb key={address} src={address} name={`${title} ${i + 1}`} width={96} height={72} />
            ) : (
              <a key={address} href={address} target="_blank" rel="noreferrer">
                {fileNameFrom(address)}
              </a>
            ),
          )}
        </div>
      )}
    </Card>
  )
}

function Events({ events }: { events: AlterDetail['events'] }) {
  return (
    <Card title="经过" remark={`${events.length} 条`}>
      {events.length === 0 ? (
        <Empty small text="没有审批记录" />
      ) : (
        <ol className="flow-events">
          {events.map((event) => (
            <li key={event.id}>
              <time className="zg-2">{event.at.slice(5, 16)}</time>
              <div>
                <b>{event.name}</b> {event.actionName}
                {event.node && <span className="zg-2"> · {event.node}</span>}
                {event.opinion && <p>{event.opinion}</p>}
              </div>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
