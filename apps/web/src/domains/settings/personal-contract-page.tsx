import { FileTextOutlined } from '@ant-design/icons'
import { signModes } from '@zhugong/contract/personnel/codes'
import type { ContractRow } from '@zhugong/contract/personnel/paper-model'
import { contractStates, openEndOf, openEndWords } from '@zhugong/contract/personnel/rules'
import { listMyContracts } from '@zhugong/contract/settings/my-person'
import { Button } from 'antd'
import { useState } from 'react'
import { LifeBar } from '#domains/personnel/public.tsx'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Tag, type Tone } from '#kit/feedback.tsx'
import { amount, daysLeft } from '#kit/format.ts'
import { WageDrawer } from './ask-drawers.tsx'
import { NoPerson } from './link-person.tsx'
import { useOwnFile } from './use-own-file.ts'
import './settings.css'

/** The user's contracts: pay and term. */
export default function PersonalContractPage() {
  const file = useOwnFile()
  const read = useCall(listMyContracts, {}, { quiet: true, enabled: Boolean(file.person), staleMs: 15_000 })
  const [complaining, setComplaining] = useState<{ projectName?: string }>()
  const error = file.error ?? read.error
  if (error) return <ErrorPanel error={error} retry={read.refetch} />
  if (!file.known) return <DetailSkeleton />
  if (!file.person) return <NoPerson shows="这里列出本人签订的劳动合同、计酬方式和期限" />
  if (!read.data) return <DetailSkeleton />
  const { list, missing } = read.data
  return (
    <>
      {missing.map((project) => (
        <Notice key={project} tone="danger">
          已在“{project}”进场，但没有生效的合同；用工之日起一个月内应当签订，可向项目劳务员提出。
        </Notice>
      ))}
      <Card
        title="个人合同"
        remark={`${list.length} 份，工资只有本人能看到`}
        actions={<Button onClick={() => setComplaining({})}>反映欠薪</Button>}
        flush
      >
        {list.length === 0 ? (
          <Empty small text="还没有合同" />
        ) : (
          <div className="set-papers">
            {list.map((one) => (
              <Contract key={one.id} of={one} onComplain={() => setComplaining({ projectName: one.projectName ?? undefined })} />
            ))}
          </div>
        )}
      </Card>
      {complaining && <WageDrawer {...complaining} onClose={() => setComplaining(undefined)} />}
    </>
  )
}

const tones: Record<ContractRow['state'], Tone> = {
  future: 'running',
  valid: 'fine',
  ending: 'warning',
  ended: 'danger',
  terminated: 'neutral',
}
const lifeTones = { future: 'neutral', valid: 'valid', ending: 'warning', ended: 'danger', terminated: 'neutral' } as const

function Contract({ of: k, onComplain }: { of: ContractRow; onComplain: () => void }) {
  const pay = k.unitPrice ? `${amount(k.unitPrice)} 元/${k.unitName ?? '单位'}` : k.salary ? `${amount(k.salary)} 元` : ''
  return (
    <article className="set-paper">
      {k.files[0] ? (
        <a className="blank" href={k.files[0]} target="_blank" rel="noreferrer" aria-label={`打开合同 ${k.contractCode}`}>
          <FileTextOutlined />
          打开合同
        </a>
      ) : (
        <div className="blank">没有附件</div>
      )}
      <div>
        <h3>
          {k.contractKindName}
          <Tag tone={tones[k.state]}>{contractStates[k.state]}</Tag>
        </h3>
        <div>
          {k.corpName}，{k.projectName}
        </div>
        <div>
          {k.paymentTypeName} {pay}，每月 {k.payDay} 日发薪
        </div>
        <div className="zg-2">
          {k.contractCode}，{k.signDate} {k.signMode === signModes.electronic ? '电子签订' : '纸质签订'}
          {k.terminateDate && `；${k.terminateDate} 终止：${k.terminateReason ?? ''}`}
        </div>
      </div>
      <LifeBar
        from={k.startDate}
        to={k.terminateDate ?? k.endDate}
        tone={lifeTones[k.state]}
        open={openEndOf(k.contractPeriodType)}
        remark={k.terminateDate ? '已终止' : k.endDate ? daysLeft(k.endDate) : openEndWords(k.contractPeriodType)}
      />
      <div className="set-acts">
        <button type="button" className="zg-bare zg-link" onClick={onComplain}>
          反映问题
        </button>
      </div>
    </article>
  )
}
