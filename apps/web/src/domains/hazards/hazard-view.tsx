import { CheckOutlined, EditOutlined, PrinterOutlined, SendOutlined } from '@ant-design/icons'
import { changeHazard, getHazard, type HazardDetail, removeHazard } from '@zhugong/contract/hazards/calls'
import { consequences, exposures, likelihoods, type Step } from '@zhugong/contract/hazards/levels'
import {
  draftHazard,
  type HazardAction,
  hazardMoves,
  liftedHazard,
  mostHazardPhotos,
  patrolProblem,
  patrolResults,
} from '@zhugong/contract/hazards/moves'
import { createPermit } from '@zhugong/contract/hazards/permits'
import { createRectify } from '@zhugong/contract/rectify/calls'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { colors } from '#kit/colors.ts'
import { Course, type CourseLooks } from '#kit/course.tsx'
import { Card, Empty, Notice, Pairs, RiskBadge, Tag } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, LongText, Upload } from '#kit/inputs.tsx'
import { hrefOf, useGo, usePage } from '#kit/page.tsx'
import { Papers } from '#kit/papers.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Handling, type ItemAction, WorkItem } from '#kit/work-item.tsx'
import { PlanBoard } from '../places/public.tsx'
import { NextCheck } from './hazard-table.tsx'
import { anyProject, HazardTag, PermitTag, paths } from './hazard-words.tsx'

const { Field } = formOf(changeHazard)
type Body = BodyOf<typeof changeHazard>

export function HazardView({ id }: { id: string }) {
  const page = usePage()
  const print = usePrint('hazardCard')
  const read = useCall(getHazard, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const file = read.data
  return (
    <WorkItem
      lead={file && <RiskBadge level={file.riskLevel} />}
      title={file?.name}
      tags={file && <HazardTag row={file} />}
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '部位', value: file.part },
              { label: '责任人', value: file.responsible },
              { label: '管控层级', value: file.controlLevelName },
              { label: '下次巡查', value: file.nextCheck ? <NextCheck row={file} /> : '--' },
            ]
          : []
      }
      actions={
        file &&
        file.state !== draftHazard && (
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'hazardCard', exportType: 'pdf', query: { id } } })}
          >
            打印风险告知牌
          </Button>
        )
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            <Handle file={file} />
            <Course lines={file.timeline} looks={looks} bad={[]} />
          </>
        )
      }
    >
      {file && <Content file={file} />}
    </WorkItem>
  )
}

const looks: CourseLooks = {
  submit: { icon: <SendOutlined />, color: colors.primary },
  control: { icon: <CheckOutlined />, color: colors.fine },
  change: { icon: <EditOutlined />, color: colors.warning },
  lift: { icon: <CheckOutlined />, color: colors.text2 },
}

const wordsOf = (steps: readonly Step[], value: number) => `${value}　${steps.find((one) => one.value === value)?.words ?? ''}`

function Content({ file }: { file: HazardDetail }) {
  const go = useGo()
  const [last] = file.patrols
  return (
    <>
      {file.overdueDays > 0 && <Notice tone="danger">巡查已逾期 {file.overdueDays} 天。</Notice>}
      {last?.result === patrolProblem && (
        <Notice
          tone="warning"
          actions={
            <Can call={createRectify} at={file}>
              <Button
                size="small"
                onClick={() =>
                  go('/safetyP/abarbeitung/create', {
                    project: file.projectCode,
                    about: `${file.name}：${last.note ?? ''}`,
                    part: file.part,
                  })
                }
              >
                下发整改
              </Button>
            </Can>
          }
        >
          最近巡查发现问题：{last.note}
        </Notice>
      )}
      <Card title="风险评价" remark={`评价值 ${file.score}`}>
        <Pairs
          items={[
            { label: '发生可能性', value: wordsOf(likelihoods, file.likelihood) },
            { label: '暴露频次', value: wordsOf(exposures, file.exposure) },
            { label: '后果', value: wordsOf(consequences, file.consequence) },
            { label: '评价等级', value: `${file.askedLevel} 级` },
            { label: '现行等级', value: <RiskBadge level={file.riskLevel} /> },
            {
              label: '危大工程',
              value: file.bigProjectId && (
                <Link className="zg-link" to={hrefOf('/jgt/bigproject/details', { id: file.bigProjectId })}>
                  {file.bigProjectName}
                  {file.overScale ? '（超规模）' : ''}
                </Link>
              ),
            },
            ...(file.levelReason ? [{ label: '降低理由', value: file.levelReason, wide: true }] : []),
          ]}
        />
      </Card>
      <Card title="控制措施">
        <ol className="hazard-lines">
          {file.measures.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ol>
        {file.controlNote && (
          <p>
            {file.controlledAt?.slice(0, 16)} 落实：{file.controlNote}
          </p>
        )}
        {file.controlPhotos.length > 0 && <Papers files={file.controlPhotos} name="措施落实" />}
      </Card>
      <Card title="巡查记录" remark={`每 ${file.checkEvery} 天一次`}>
        {file.patrols.length === 0 && <Empty small text="还没有巡查" />}
        <ul className="hazard-patrols">
          {file.patrols.map((one) => (
            <li key={one.id}>
              <Tag tone={one.result === patrolProblem ? 'danger' : 'fine'}>{patrolResults[one.result]}</Tag>
              <span className="zg-num">{one.at.slice(0, 16)}</span>
              <span>{one.byName}</span>
              {one.lateDays > 0 && <span className="tone-danger">迟 {one.lateDays} 天</span>}
              {one.note && <p>{one.note}</p>}
              {one.photos.length > 0 && <Papers files={one.photos} name="巡查" />}
            </li>
          ))}
        </ul>
      </Card>
      {file.plans.map((plan) => (
        <Card key={plan.id} title={`平面图 ${plan.name}`}>
          <PlanBoard
            plan={plan}
            marks={
              file.pin
                ? [{ key: file.id, label: file.riskLevel, x: file.pin.x, y: file.pin.y, level: file.riskLevel, title: file.name }]
                : []
            }
          />
        </Card>
      ))}
      <Card
        title="作业票"
        actions={
          file.state !== draftHazard &&
          file.state !== liftedHazard && (
            <Can call={createPermit} at={file}>
              <Button size="small" onClick={() => go(paths.form, { kind: 'permit', hazard: file.id, part: file.part })}>
                开作业票
              </Button>
            </Can>
          )
        }
      >
        {file.permits.length === 0 && <Empty small text="没有针对它的作业票" />}
        <ul className="hazard-patrols">
          {file.permits.map((one) => (
            <li key={one.id}>
              <PermitTag row={one} />
              <Link className="zg-link" to={hrefOf(paths.detail, { permit: one.id })}>
                {one.code ?? '草稿'}
              </Link>
              <span>{one.typeName}</span>
              <span className="zg-2">
                {one.startTime.slice(5, 16)} 至 {one.endTime.slice(5, 16)}
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}

type Open = 'control' | 'patrol' | 'lift'
function Handle({ file }: { file: HazardDetail }) {
  const go = useGo()
  const page = usePage()
  const [open, setOpen] = useState<Open | undefined>(undefined)
  const act = useAct(changeHazard, { success: '已办理' })
  const removal = useAct(removeHazard, { success: '草稿已删除', onDone: () => page.leave(paths.list) })
  const { id, version } = file
  const key = { params: { id }, query: anyProject }
  const may = (action: HazardAction) => file.actions.some((one) => one.action === action)
  const opens = (action: Open, main: boolean): ItemAction[] =>
    may(action) ? [{ label: hazardMoves[action].label, main, run: () => setOpen(action) }] : []
  const actions: ItemAction[] = [
    ...(may('submit') ? [{ label: '继续填写', main: true, run: () => go(paths.form, { id }) }] : []),
    ...opens('patrol', true),
    ...opens('control', true),
    ...(may('change') ? [{ label: '修改', run: () => go(paths.form, { id }) }] : []),
    ...opens('lift', false),
    ...(may('save')
      ? [
          {
            label: '删除草稿',
            danger: true,
            run: () =>
              removal.afterRequesting({ thing: `删除危险源草稿 ${file.name}`, consequence: '草稿不再保留。', verb: '删除草稿' }, key),
          },
        ]
      : []),
  ]
  return (
    <>
      <Handling remark={file.stateName} actions={actions} busy={act.running || removal.running} none={waits[file.state] ?? ''} />
      {open && (
        <FormDrawer
          key={open}
          act={act}
          open
          narrow
          title={hazardMoves[open].label}
          remark={file.name}
          onClose={() => setOpen(undefined)}
          initial={{ action: open, version, photos: [], ...(open === 'patrol' ? { result: '1' } : {}) }}
          input={(body) => ({ ...key, body: { ...(body as Body), action: open, version } as Body })}
        >
          {open === 'control' && (
            <>
              <Field name="note" label="落实情况" span="all">
                <LongText rows={3} />
              </Field>
              <Field name="photos" label="照片" span="all" required>
                <Upload max={mostHazardPhotos} camera="environment" />
              </Field>
            </>
          )}
          {open === 'patrol' && (
            <>
              <Field name="result" label="巡查结果" span="all">
                <Choice clear={false} options={Object.entries(patrolResults).map(([value, label]) => ({ value, label }))} />
              </Field>
              <Field name="note" label="巡查情况" span="all" help="发现问题须写明">
                <LongText rows={3} />
              </Field>
              <Field name="photos" label="照片" span="all" help="发现问题须附照片">
                <Upload max={mostHazardPhotos} camera="environment" />
              </Field>
            </>
          )}
          {open === 'lift' && (
            <Field name="opinion" label="解除理由" span="all">
              <LongText rows={3} />
            </Field>
          )}
        </FormDrawer>
      )}
    </>
  )
}

const waits: Readonly<Record<string, string>> = {
  0: '草稿由编制人提交',
  1: '等待落实控制措施',
  2: '按巡查频次由项目巡查',
  3: '已解除',
}
