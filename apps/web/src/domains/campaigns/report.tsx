import { type CampaignDetail, changeCampaign } from '@zhugong/contract/campaigns/calls'
import { campaignMatrix } from '@zhugong/contract/campaigns/checks'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Card, Empty, Notice } from '#kit/feedback.tsx'
import { LongText } from '#kit/inputs.tsx'
import { anywhere, keyOf, may } from './campaign-acts.ts'
import { marks, percent } from './campaign-words.tsx'

const mending = '4'

/** The report of a campaign; before it is published, what still holds it up. */
export function Report({ file }: { file: CampaignDetail }) {
  if (file.published)
    return (
      <Card title="督查通报" remark={`${file.organiserName} · ${file.finishTime ?? ''}`}>
        <div className="campaign-report">{file.summary}</div>
      </Card>
    )
  if (!file.own)
    return (
      <Card title="督查通报">
        <Empty small text="通报尚未发布" hint="整改全部闭合后由组织单位发布" />
      </Card>
    )
  return (
    <>
      <Open file={file} />
      {may(file, 'finish') && <Write file={file} />}
    </>
  )
}

function Open({ file }: { file: CampaignDetail }) {
  if (file.state !== mending) return <Notice tone="info">检查全部提交后进入整改，整改全部闭合后发布通报。</Notice>
  if (file.open.length === 0) return <Notice tone="fine">整改已全部闭合，可以发布通报。</Notice>
  return (
    <Card title="未闭合" remark={`${file.open.length} 个项目，闭合后才能发布通报`}>
      <ul className="campaign-open">
        {file.open.map((one) => (
          <li key={one.link}>
            <Link to={one.link}>{one.label}</Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Write({ file }: { file: CampaignDetail }) {
  const matrix = useCall(campaignMatrix, { params: { id: file.id }, query: anywhere }, { quiet: true })
  const [text, setText] = useState<string>()
  const act = useAct(changeCampaign, { success: '通报已发布' })
  const known = (matrix.data?.categories ?? []).filter((one) => one.mean !== null).sort((a, b) => (a.mean ?? 0) - (b.mean ?? 0))
  const proposed = [
    `${file.name}于 ${file.startDate} 至 ${file.endDate} 开展，共检查 ${file.done} 个项目，平均得分 ${marks(file.avgScore)} 分。`,
    `发现问题 ${file.problems} 个，其中重大隐患 ${file.major} 个；下发整改通知 ${file.notices} 份，整改率 ${percent(file.closeRate)}。`,
    ...(known[0] ? [`薄弱环节为${known[0].name}（平均 ${marks(known[0].mean)} 分），请各地各单位举一反三，全面排查。`] : []),
  ].join('\n')
  const value = text ?? proposed
  return (
    <Card title="发布通报" remark="发布后各受检项目可见本项目结果与通报，不含其他项目名次">
      <LongText aria-label="督查通报" rows={8} maxLength={4000} value={value} onChange={(next) => setText(next ?? '')} />
      {act.fieldErrors.summary && <p className="tone-danger">{act.fieldErrors.summary}</p>}
      <p>
        <Button
          type="primary"
          loading={act.running}
          onClick={() =>
            void act.run({ ...keyOf(file), body: { action: 'finish', version: file.version, summary: value } }, { fieldsShown: true })
          }
        >
          发布通报并完成
        </Button>
      </p>
    </Card>
  )
}
