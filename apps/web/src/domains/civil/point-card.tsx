import { type CivilPoint, createCivilPoint, removeCivilPoint } from '@zhugong/contract/civil/inspection'
import { type CivilItemInput, mostPointPhotos } from '@zhugong/contract/civil/moves'
import { areaCodes, areaName } from '@zhugong/contract/civil/score'
import type { Pin } from '@zhugong/contract/places/pins'
import { type ItemResult, itemResults } from '@zhugong/contract/scoring/score'
import { Button, Input, Segmented } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Card } from '#kit/feedback.tsx'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { Choice, DayInput, NumberInput } from '#kit/inputs.tsx'
import { uid } from '#kit/uid.ts'
import { Thumb } from '#kit/viewers.tsx'
import { Labelled } from '../checks/public.tsx'
import { PlacePicker } from '../places/public.tsx'
import { anyProject } from './civil-words.tsx'
import './civil.css'
import { type AtPoint, inDays, usualDays } from './walk-model.ts'

interface PointProps {
  no: number
  point: CivilPoint
  items: CivilPoint['items']
  value: AtPoint
  corps: readonly { code: string; name: string; people: readonly string[] }[]
  onChange: (more: Partial<AtPoint>) => void
}

const choices = [
  { value: itemResults.right, label: '合格' },
  { value: itemResults.wrong, label: '不合格' },
  { value: itemResults.notApplicable, label: '不涉及' },
]

export function PointCard({ no, point, items, value, corps, onChange }: PointProps) {
  const put = (itemCode: string, more: Partial<CivilItemInput>) =>
    onChange({
      items: {
        ...value.items,
        [itemCode]: { ...{ itemCode, result: itemResults.unchecked, deduction: 0, note: null }, ...value.items[itemCode], ...more },
      },
    })
  const rest = Object.fromEntries(
    items
      .filter((one) => !value.items[one.itemCode])
      .map(({ itemCode }) => [itemCode, { itemCode, result: itemResults.right, deduction: 0, note: null }]),
  )
  const retire = useAct(removeCivilPoint, { success: '点位已停用' })
  const failed = items.some((one) => value.items[one.itemCode]?.result === itemResults.wrong)
  const people = corps.find((one) => one.code === value.blame.corpCode)?.people ?? []
  return (
    <Card
      title={`${no}. ${point.name}`}
      remark={[point.areaName, point.placeName].filter(Boolean).join(' · ')}
      actions={
        <>
          <Button onClick={() => onChange({ skipped: value.skipped === null ? '' : null })}>
            {value.skipped === null ? '跳过' : '恢复检查'}
          </Button>
          {value.skipped !== null && (
            <Button
              danger
              loading={retire.running}
              onClick={() =>
                void retire.afterRequesting(
                  { thing: `停用点位 ${point.name}`, consequence: '以后的检查不再走这一点；已提交的检查不变。', verb: '停用点位' },
                  { params: { id: point.id }, query: anyProject },
                )
              }
            >
              停用点位
            </Button>
          )}
        </>
      }
    >
      {value.skipped !== null ? (
        <Labelled label="跳过原因" problem={value.skipped === '' ? '请填写跳过原因' : undefined}>
          {(id) => (
            <Input
              id={id}
              maxLength={100}
              placeholder="例如 正在浇筑，无法进入"
              value={value.skipped ?? ''}
              onChange={(event) => onChange({ skipped: event.target.value })}
            />
          )}
        </Labelled>
      ) : (
        <>
          {point.last[0] && (
            <p className="civil-ghost">
              <Thumb src={point.last[0]} name="上次同点位" width={120} height={90} />
              <span className="zg-2">上次 {point.lastDay}：请站在同一位置、同一角度拍摄</span>
            </p>
          )}
          <Labelled label="照片" problem={undefined}>
            {(id) => <FieldPhotos id={id} max={mostPointPhotos} value={value.photos} onChange={(photos) => onChange({ photos })} />}
          </Labelled>
          {Object.keys(rest).length > 0 && (
            <p>
              <Button onClick={() => onChange({ items: { ...value.items, ...rest } })}>其余全部合格</Button>
            </p>
          )}
          {items.map(({ itemCode, name, maxScore, rule }) => {
            const item = value.items[itemCode]
            const isWrong = item?.result === itemResults.wrong
            return (
              <section key={itemCode} className="civil-item" aria-label={name}>
                <span>
                  {name} <span className="zg-2">{maxScore} 分</span>
                </span>
                {rule && <small className="zg-2">{rule}</small>}
                <Segmented<string>
                  block
                  options={choices}
                  value={item && item.result !== itemResults.unchecked ? item.result : ''}
                  onChange={(result) =>
                    put(itemCode, {
                      result: result as ItemResult,
                      deduction: result === itemResults.wrong ? item?.deduction || Math.min(1, maxScore) : 0,
                    })
                  }
                />
                {isWrong && (
                  <div className="civil-fail">
                    <NumberInput
                      aria-label={`${name}扣分`}
                      unit="分"
                      min={0.5}
                      max={maxScore}
                      step={0.5}
                      precision={1}
                      value={item.deduction}
                      onChange={(deduction) => put(itemCode, { deduction: deduction ?? 0.5 })}
                    />
                    <Input
                      aria-label={`${name}问题`}
                      placeholder="看到了什么"
                      maxLength={300}
                      value={item.note ?? ''}
                      onChange={(event) => put(itemCode, { note: event.target.value || null })}
                    />
                  </div>
                )}
              </section>
            )
          })}
          {failed && (
            <div className="civil-fail">
              <Choice
                aria-label="责任单位"
                placeholder="责任单位"
                clear={false}
                options={corps.map((one) => ({ value: one.code, label: one.name }))}
                value={value.blame.corpCode || null}
                onChange={(corpCode) => onChange({ blame: { ...value.blame, corpCode: corpCode ?? '', person: null } })}
              />
              <Choice
                aria-label="整改人"
                placeholder="整改人"
                options={people.map((name) => ({ value: name, label: name }))}
                value={value.blame.person}
                onChange={(person) => onChange({ blame: { ...value.blame, person: person ?? null } })}
              />
              <DayInput
                aria-label="期限"
                min={inDays(0)}
                value={value.blame.deadline}
                onChange={(deadline) => onChange({ blame: { ...value.blame, deadline: deadline ?? inDays(usualDays) } })}
              />
            </div>
          )}
        </>
      )}
    </Card>
  )
}

/** A point that is set while walking; it is stored at once and belongs to every later walk. */
export function NewPoint({ projectCode }: { projectCode: string }) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [area, setArea] = useState<(typeof areaCodes)[number]>('gate')
  const [place, setPlace] = useState<{ placeId: string; pin: Pin | null }>()
  const act = useAct(createCivilPoint, {
    success: '点位已新增',
    onDone: () => {
      setOpen(false)
      setName('')
      setPlace(undefined)
    },
  })
  if (!open)
    return (
      <Button size="large" onClick={() => setOpen(true)}>
        新增点位
      </Button>
    )
  return (
    <Card title="新增点位" remark="以后每次检查都走这里">
      <Labelled label="点位名称" problem={act.fieldErrors.name}>
        {(id) => (
          <Input id={id} maxLength={60} placeholder="例如 1# 大门内侧" value={name} onChange={(event) => setName(event.target.value)} />
        )}
      </Labelled>
      <Labelled label="区域" problem={act.fieldErrors.area}>
        {() => <Segmented options={areaCodes.map((value) => ({ value, label: areaName(value) }))} value={area} onChange={setArea} />}
      </Labelled>
      <Labelled label="位置（可不选）" problem={act.fieldErrors.placeId ?? act.fieldErrors.pin}>
        {(id) => (
          <PlacePicker
            id={id}
            projectCode={projectCode}
            placeId={place?.placeId ?? null}
            pin={place?.pin ?? null}
            withPin
            offline
            onChange={(chosen) => setPlace(chosen ? { placeId: chosen.placeId, pin: chosen.pin ?? null } : undefined)}
          />
        )}
      </Labelled>
      <p className="zg-row zg-gap-6">
        <Button
          type="primary"
          loading={act.running}
          onClick={() =>
            void act.run(
              { query: { projectCode }, body: { id: uid(), name, area, placeId: place?.placeId ?? null, pin: place?.pin ?? null } },
              { fieldsShown: true },
            )
          }
        >
          保存点位
        </Button>
        <Button onClick={() => setOpen(false)}>取消</Button>
      </p>
    </Card>
  )
}
