import { EditOutlined } from '@ant-design/icons'
import type { HealthAnswer } from '@zhugong/contract/personnel/career-model'
import { getHealth, saveHealth } from '@zhugong/contract/personnel/careers'
import { noContraindication } from '@zhugong/contract/personnel/codes'
import type { WorkerDetail } from '@zhugong/contract/personnel/worker-model'
import { workerDetailInfo } from '@zhugong/contract/personnel/workers'
import { Button, Collapse } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { colors } from '#kit/colors.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day, epoch } from '#kit/format.ts'
import { Choice, Choices, DayInput, LongText, NumberInput, Upload } from '#kit/inputs.tsx'
import { usePageQuery } from '#kit/page.tsx'
import { useHeld } from './held.tsx'
import { LifeBar } from './life-bar.tsx'

const { Field, FieldList } = formOf(saveHealth)

const fitWords = {
  fit: ['适岗', 'fine'],
  check: ['需复核', 'warning'],
  unfit: ['不适岗', 'danger'],
  unknown: ['未登记', 'neutral'],
} as const
/** Temperature in °C from which it is marked. */
const feverFrom = 37.3
const examDays = 365

/** Health of a person. Values are visible to health staff only; others see one line. */
export default function InfoHealth() {
  const id = usePageQuery().get('id') ?? ''
  const may = useCan(saveHealth)
  const current = useHeld(id)
  return may && current ? <Health id={id} /> : <FitnessLine id={id} />
}

function FitnessLine({ id }: { id: string }) {
  const { data } = useCall(workerDetailInfo, { params: { id }, query: {} }, { quiet: true })
  if (!data) return <DetailSkeleton />
  return (
    <Card title="适岗情况" remark="健康信息只对健康管理人员开放">
      <Fitness fitness={data.fitness} />
    </Card>
  )
}
function Fitness({ fitness }: { fitness: WorkerDetail['fitness'] }) {
  const [word, tone] = fitWords[fitness.state]
  return (
    <span>
      <Tag tone={tone}>{word}</Tag> {fitness.date ? `体检 ${fitness.date}` : '未登记体检'}
    </span>
  )
}

function Health({ id }: { id: string }) {
  const read = useCall(getHealth, { params: { id } }, { quiet: true, staleMs: 60_000 })
  const dicts = useDicts('healthStatus', 'bloodType', 'medicalContraindication')
  const [editing, setEditing] = useState(false)
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const h = read.data
  if (!h) return <DetailSkeleton />
  const examEnd = h.examDate ? new Date(Date.parse(h.examDate) + examDays * 86_400_000).toISOString().slice(0, 10) : null
  const risks = h.contraindications.filter((c) => c !== noContraindication)
  return (
    <>
      {h.fitness.state === 'check' && risks.length > 0 && (
        <Notice tone="warning">
          登记了{risks.map((c) => dicts.name('medicalContraindication', c)).join('、')}，高处作业前请由医生判定，必要时暂停作业
        </Notice>
      )}
      <Card
        title="健康与职业禁忌"
        remark="每次打开都记入访问记录"
        actions={
          <Button icon={<EditOutlined />} onClick={() => setEditing(true)}>
            编辑
          </Button>
        }
      >
        <Pairs
          items={[
            { label: '适岗', value: <Fitness fitness={h.fitness} /> },
            { label: '健康状况', value: dicts.name('healthStatus', h.healthStatus) },
            { label: '血型', value: dicts.name('bloodType', h.bloodType) },
            {
              label: '职业禁忌',
              value: h.contraindications.length
                ? h.contraindications.map((c) => dicts.name('medicalContraindication', c)).join('、')
                : null,
              wide: true,
            },
          ]}
        />
      </Card>
      <Card title="体检">
        {h.examDate && examEnd ? (
          <div className="per-exam">
            <LifeBar
              from={h.examDate}
              to={examEnd}
              tone={examEnd < day(Date.now()) ? 'danger' : 'valid'}
              remark={examEnd < day(Date.now()) ? '已过一年，请重新体检' : '一年内有效'}
            />
            <div className="zg-row zg-gap-12">
              {h.examReport.length === 0 && <span className="zg-2">未上传报告</span>}
              {h.examReport.map((f, i) => (
                <a key={f} href={f} target="_blank" rel="noreferrer">
                  体检报告 {i + 1}
                </a>
              ))}
            </div>
          </div>
        ) : (
          <Empty small text="未登记体检" hint="体检一年内有效" />
        )}
      </Card>
      <Card title="体温" remark={`近 30 天门禁测温，${feverFrom} 度为界`}>
        <Temperatures values={h.temperatures} />
      </Card>
      <Collapse
        items={[
          {
            key: 'declare',
            label: `健康申报 ${h.declarations.length} 条`,
            children: h.declarations.length ? (
              <table className="per-simple">
                <tbody>
                  {h.declarations.map((d) => (
                    <tr key={d.time}>
                      <td className="zg-num zg-nowrap">{d.time}</td>
                      <td>{d.temperature === null ? '--' : `${d.temperature.toFixed(1)} ℃`}</td>
                      <td>{d.symptoms || '无症状'}</td>
                      <td>{d.trip || '无外出行程'}</td>
                      <td className="zg-2">{d.by}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            ) : (
              '没有申报'
            ),
          },
          {
            key: 'vaccine',
            label: `疫苗接种 ${h.vaccinated.length} 剂`,
            children: h.vaccinated.length ? h.vaccinated.map((v) => `第 ${v.dose} 剂 ${v.date}`).join('，') : '没有登记',
          },
        ]}
      />
      {editing && <HealthDrawer id={id} h={h} onClose={() => setEditing(false)} />}
    </>
  )
}

/** Vertical position; the axis runs from 35 to 40 °C. */
const heightOf = (degree: number) => 140 - ((degree - 35) / 5) * 130

/** Temperature chart; intervals of more than a day are not connected. */
function Temperatures({ values }: { values: HealthAnswer['temperatures'] }) {
  if (values.length === 0) return <Empty small text="没有测温记录" hint="带测温的门禁上报后显示在这里" />
  const now = Date.now()
  const span = 30 * 86_400_000
  const points = values
    .map((v) => ({ at: epoch(v.time) ?? 0, value: v.value }))
    .sort((a, b) => a.at - b.at)
    .map((p) => ({ ...p, x: ((p.at - (now - span)) / span) * 900, y: heightOf(Math.min(40, Math.max(35, p.value))) }))
  const parts: (typeof points)[] = []
  for (const p of points) {
    const part = parts.at(-1)
    const before = part?.at(-1)
    if (part && before && p.at - before.at <= 36 * 3_600_000) part.push(p)
    else parts.push([p])
  }
  const limit = heightOf(feverFrom)
  return (
    <svg className="per-curve" viewBox="-44 0 956 176" role="img" aria-label={`近 30 天测温 ${values.length} 次`}>
      {[35, 36, 37, 38, 39, 40].map((degree) => (
        <g key={degree}>
          <line x1="0" x2="900" y1={heightOf(degree)} y2={heightOf(degree)} stroke={colors.hairline} />
          <text x="-8" y={heightOf(degree) + 4} fontSize="12" fill={colors.text2} textAnchor="end">
            {degree} ℃
          </text>
        </g>
      ))}
      {[30, 20, 10, 0].map((back) => (
        <text
          key={back}
          x={900 - back * 30}
          y="168"
          fontSize="12"
          fill={colors.text2}
          textAnchor={back === 0 ? 'end' : back === 30 ? 'start' : 'middle'}
        >
          {back === 0 ? '今天' : day(now - back * 86_400_000).slice(5)}
        </text>
      ))}
      <line x1="0" x2="900" y1={limit} y2={limit} stroke={colors.amber} strokeDasharray="6 4" />
      {parts.map((part) => (
        <polyline
          key={part[0]?.at}
          points={part.map((p) => `${p.x},${p.y}`).join(' ')}
          fill="none"
          stroke={colors.primary}
          strokeWidth="1.5"
        />
      ))}
      {points.map((p) => (
        <circle key={p.at} cx={p.x} cy={p.y} r="3" fill={p.value >= feverFrom ? colors.danger : colors.primary}>
          <title>{p.value.toFixed(1)} ℃</title>
        </circle>
      ))}
    </svg>
  )
}

function HealthDrawer({ id, h, onClose }: { id: string; h: HealthAnswer; onClose: () => void }) {
  const dicts = useDicts('healthStatus', 'bloodType', 'medicalContraindication')
  const act = useAct(saveHealth)
  return (
    <FormDrawer
      open
      act={act}
      title="编辑健康信息"
      initial={{
        healthStatus: h.healthStatus,
        bloodType: h.bloodType,
        contraindications: h.contraindications,
        examDate: h.examDate,
        examReport: h.examReport,
        vaccinated: h.vaccinated,
        version: h.version,
      }}
      input={(body) => {
        const declare = body.declare as { temperature?: number; symptoms?: string; trip?: string } | null | undefined
        const said = declare && (declare.temperature || declare.symptoms || declare.trip)
        return { params: { id }, body: { ...body, declare: said ? declare : null } }
      }}
      onClose={onClose}
    >
      <Field name="healthStatus" label="健康状况">
        <Choice options={dicts.options('healthStatus')} />
      </Field>
      <Field name="bloodType" label="血型">
        <Choice options={dicts.options('bloodType')} />
      </Field>
      <Field name="contraindications" label="职业禁忌" span="all">
        <Choices options={dicts.options('medicalContraindication')} />
      </Field>
      <Field name="examDate" label="体检日期">
        <DayInput max={day(Date.now())} />
      </Field>
      <Field name="examReport" label="体检报告">
        <Upload max={4} accept="image/*,application/pdf" />
      </Field>
      <Field name="declare.temperature" label="今日体温">
        <NumberInput min={35} max={42} precision={1} unit="℃" />
      </Field>
      <Field name="declare.symptoms" label="症状">
        <LongText maxLength={200} rows={1} />
      </Field>
      <Field name="declare.trip" label="行程或接触史" span="all">
        <LongText maxLength={200} rows={2} />
      </Field>
      <FieldList name="vaccinated" add="添加一剂疫苗" max={10}>
        {({ name, remove }) => (
          <div className="per-dose">
            <Field name={name('dose')} label="剂次">
              <NumberInput min={1} max={10} />
            </Field>
            <Field name={name('date')} label="接种日期">
              <DayInput max={day(Date.now())} />
            </Field>
            <Button className="zg-below-12" onClick={remove}>
              删除
            </Button>
          </div>
        )}
      </FieldList>
    </FormDrawer>
  )
}
