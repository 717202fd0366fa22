import type { FireDetail } from '@zhugong/contract/fire/calls'
import type { CatalogueItem } from '@zhugong/contract/fire/catalogue'
import { mostFirePhotos } from '@zhugong/contract/fire/moves'
import { writeFirePoint } from '@zhugong/contract/fire/points'
import { deviationOf, type Result, results, usualTolerance } from '@zhugong/contract/fire/rule'
import { Button, Checkbox, Input } from 'antd'
import { useId, useState } from 'react'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { NumberInput } from '#kit/inputs.tsx'
import { uid } from '#kit/uid.ts'
import { anyProject, paths, type Shown } from './fire-words.tsx'

interface PointFormProps {
  file: FireDetail
  buildId: string
  point: CatalogueItem
  part: string
  /** What holds of this place so far. */
  before: Shown | undefined
  /** One of the rows that a failed B opens. */
  extra?: boolean
  onClose?: () => void
}

const choices: readonly { value: Result; label: string }[] = [
  { value: results.fits, label: '符合' },
  { value: results.fails, label: '不符合' },
  { value: results.absent, label: '不涉及' },
]

/** Writes one point at one place, also without network; each is confirmed by the server on its own. */
export function PointForm({ file, buildId, point, part: given, before, extra = false, onClose }: PointFormProps) {
  const key = useId()
  const [part, setPart] = useState(given)
  const [result, setResult] = useState<Result>()
  const [designValue, setDesign] = useState(before?.designValue ?? '')
  const [actualValue, setActual] = useState('')
  const [tolerance, setTolerance] = useState(before?.tolerance ?? usualTolerance)
  const [productFail, setProduct] = useState(false)
  const [description, setDescription] = useState('')
  const [changeReason, setReason] = useState('')
  const [photos, setPhotos] = useState<string[]>([])
  const done = () => {
    setPart('')
    setResult(undefined)
    setActual('')
    setDescription('')
    setPhotos([])
    setProduct(false)
    onClose?.()
  }
  const act = useFieldAct(writeFirePoint, { success: '已记录', onDone: done, onKept: done })
  const deviation = deviationOf(designValue, actualValue)
  const bad = result === results.fails || productFail
  const turns = before && (before.result === results.fails || before.productFail) && result !== undefined && !bad
  const send = (chosen: Result) => {
    setResult(chosen)
    const whole = part.trim() !== '' && (chosen !== results.fails || (description.trim() !== '' && photos.length > 0))
    const hasReason = !turnsTo(before, chosen, productFail) || changeReason.trim() !== ''
    if (whole && hasReason && !productFail) void save(chosen)
  }
  const save = (chosen: Result) => {
    const id = uid()
    return act.run(
      {
        query: anyProject,
        body: {
          id,
          assessmentId: file.id,
          buildId,
          itemCode: point.code,
          checkPart: part.trim(),
          result: chosen,
          productFail,
          designValue: designValue || null,
          actualValue: actualValue || null,
          tolerance,
          description: description || null,
          photos,
          changeReason: changeReason || null,
          at: Date.now(),
        },
      },
      {
        id,
        title: `${point.code} ${point.name}`,
        page: `${paths.detail}?id=${file.id}`,
        lines: [
          { label: '部位', text: part },
          { label: '结果', text: choices.find((one) => one.value === chosen)?.label ?? '' },
        ],
      },
    )
  }
  const problem = (field: string) => act.fieldErrors[field] && <small className="tone-danger">{act.fieldErrors[field]}</small>
  return (
    <div className="fire-form">
      <div>
        <label htmlFor={`${key}-part`}>抽查部位</label>
        <Input
          id={`${key}-part`}
          maxLength={100}
          placeholder="如 3 层东侧疏散楼梯"
          disabled={given !== ''}
          value={part}
          onChange={(event) => setPart(event.target.value)}
        />
        {problem('checkPart')}
      </div>
      {point.needsValue && (
        <div className="fire-values">
          <span>
            <label htmlFor={`${key}-design`}>设计值</label>
            <Input id={`${key}-design`} maxLength={50} value={designValue} onChange={(event) => setDesign(event.target.value)} />
            {problem('designValue')}
          </span>
          <span>
            <label htmlFor={`${key}-actual`}>实测值</label>
            <Input id={`${key}-actual`} maxLength={50} value={actualValue} onChange={(event) => setActual(event.target.value)} />
            {problem('actualValue')}
          </span>
          <span>
            <label htmlFor={`${key}-tolerance`}>允许误差</label>
            <NumberInput
              id={`${key}-tolerance`}
              unit="%"
              min={0}
              max={100}
              value={tolerance}
              onChange={(n) => setTolerance(n ?? usualTolerance)}
            />
          </span>
          {deviation !== null && (
            <span className={Math.abs(deviation) > tolerance ? 'tone-danger' : 'tone-fine'}>
              偏差 {deviation}%{Math.abs(deviation) > tolerance ? '，超出允许误差' : '，在允许误差内'}；是否符合由评定人员判断
            </span>
          )}
        </div>
      )}
      {(bad || description !== '' || photos.length > 0) && (
        <>
          <div>
            <label htmlFor={`${key}-text`}>问题描述</label>
            <Input.TextArea
              id={`${key}-text`}
              rows={2}
              maxLength={500}
              value={description}
              onChange={(event) => setDescription(event.target.value)}
            />
            {problem('description')}
          </div>
          <div>
            <label htmlFor={`${key}-photos`}>照片</label>
            <FieldPhotos id={`${key}-photos`} max={mostFirePhotos} value={photos} onChange={setPhotos} />
            {problem('photos')}
          </div>
        </>
      )}
      {turns && (
        <div>
          <label htmlFor={`${key}-reason`}>更改原因（原记录保留）</label>
          <Input id={`${key}-reason`} maxLength={200} value={changeReason} onChange={(event) => setReason(event.target.value)} />
          {problem('changeReason')}
        </div>
      )}
      <div className="fire-buttons">
        {choices
          .filter((one) => !extra || one.value !== results.absent)
          .map((one) => (
            <Button
              key={one.value}
              size="large"
              danger={one.value === results.fails}
              type={result === one.value ? 'primary' : undefined}
              loading={act.running && result === one.value}
              onClick={() => send(one.value)}
            >
              {one.label}
            </Button>
          ))}
        <Checkbox checked={productFail} onChange={(event) => setProduct(event.target.checked)}>
          消防产品现场判定不合格
        </Checkbox>
        {bad && result !== undefined && (
          <Button type="primary" size="large" loading={act.running} onClick={() => void save(result)}>
            保存记录
          </Button>
        )}
        {onClose && <Button onClick={onClose}>取消</Button>}
      </div>
      {problem('itemCode')}
    </div>
  )
}

const turnsTo = (before: Shown | undefined, chosen: Result, productFail: boolean): boolean =>
  before !== undefined && (before.result === results.fails || before.productFail) && chosen !== results.fails && !productFail
