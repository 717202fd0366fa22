import { type CampaignDetail, type CampaignRun, changeCampaign, verifyCampaignDraw } from '@zhugong/contract/campaigns/calls'
import { drawModeCodes } from '@zhugong/contract/campaigns/moves'
import { Button } from 'antd'
import { askReason } from '#kit/ask.ts'
import { call, useAct } from '#kit/call.ts'
import { Hash, useVerification, WitnessCard } from '#kit/draw.tsx'
import { Card, Pairs } from '#kit/feedback.tsx'
import { keyOf, may } from './campaign-acts.ts'

/** Freezing, witnessing, drawing, and the certificate of every run. */
export function DrawCards({ file }: { file: CampaignDetail }) {
  if (file.drawMode !== drawModeCodes.drawn) return null
  const last = file.runs.at(-1)
  return (
    <>
      {may(file, 'freeze') && (!last || last.drawnTime !== null) && <Freeze file={file} last={last} />}
      {may(file, 'draw') && last && last.drawnTime === null && <Witnesses file={file} run={last.run} />}
      {[...file.runs].reverse().map((run) => (
        <Certificate key={run.id} file={file} run={run} isLast={run === last} />
      ))}
    </>
  )
}

function Freeze({ file, last }: { file: CampaignDetail; last: CampaignRun | undefined }) {
  const act = useAct(changeCampaign, { success: '候选名单已冻结' })
  const freeze = async () => {
    const reason = last ? await askReason(`第 ${last.run + 1} 次抽取`, '重抽原因（至少 5 个字，公开保留）') : null
    if (reason !== undefined) await act.run({ ...keyOf(file), body: { action: 'freeze', version: file.version, reason } })
  }
  return (
    <Card title={last ? '重新抽取' : '第一步 冻结候选名单'} remark={last ? '只有候选名单有变化才能重抽，原结果保留' : '冻结后才生成种子'}>
      <ul className="campaign-quotas">
        {file.quotas.map((one) => (
          <li key={one.label}>
            {one.label} <b className="zg-num">{one.seats}</b> 个
          </li>
        ))}
      </ul>
      <Button type={last ? undefined : 'primary'} block loading={act.running} onClick={() => void freeze()}>
        {last ? '重抽…' : '冻结候选名单'}
      </Button>
    </Card>
  )
}

function Witnesses({ file, run }: { file: CampaignDetail; run: number }) {
  const act = useAct(changeCampaign, { success: '已抽取' })
  return (
    <WitnessCard
      title={`第 ${run} 次抽取 · 见证`}
      verb="开始抽取"
      running={act.running}
      problem={Object.values(act.fieldErrors)[0]}
      onDraw={(witnesses) =>
        void act.run({ ...keyOf(file), body: { action: 'draw', version: file.version, witnesses } }, { fieldsShown: true })
      }
    />
  )
}

function Certificate({ file, run, isLast }: { file: CampaignDetail; run: CampaignRun; isLast: boolean }) {
  const { verify, busy, notice } = useVerification(
    () => call(verifyCampaignDraw, { params: { id: file.id }, query: { projectCode: '*', run: run.run } }),
    `${file.code ?? file.name}-第${run.run}次抽取.json`,
  )
  const left = run.leftOut.reduce((sum, one) => sum + one.count, 0)
  return (
    <Card
      title={`第 ${run.run} 次抽取凭证`}
      remark={run.drawnTime === null ? '名单已冻结，待抽取' : isLast ? '本次结果有效' : '已由后一次取代'}
      actions={
        <Button size="small" loading={busy} onClick={() => void verify()}>
          复核抽取
        </Button>
      }
    >
      <Pairs
        items={[
          { label: '候选', value: `${run.candidates} 个` },
          {
            label: '未入池',
            value: left === 0 ? '无' : `${left} 个：${run.leftOut.map((one) => `${one.reason} ${one.count}`).join('，')}`,
          },
          { label: '名单摘要', value: <Hash text={run.listHash} /> },
          { label: '种子承诺', value: <Hash text={run.commitment} /> },
          { label: '冻结', value: `${run.frozenTime} ${run.frozenBy}` },
          { label: '抽取', value: run.drawnTime ?? '--' },
          { label: '见证', value: run.witnesses.join('、') },
          ...(run.reason ? [{ label: '重抽原因', value: run.reason, wide: true }] : []),
        ]}
      />
      {notice}
    </Card>
  )
}
