import { mostItemPhotos } from '@zhugong/contract/scoring/moves'
import { type ItemResult, itemResults } from '@zhugong/contract/scoring/score'
import type { CampaignDetail, CampaignObject } from '@zhugong/contract/themes/calls'
import { Button, Input, Segmented } from 'antd'
import { Card } from '#kit/feedback.tsx'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { FailFields, Labelled } from '../checks/public.tsx'
import { type AtObject, type AtPoint, problemsAt, untouched } from './desk-model.ts'
import './themes.css'

const choices = [
  { value: itemResults.right, label: '合格' },
  { value: itemResults.wrong, label: '不合格' },
  { value: itemResults.notApplicable, label: '不涉及' },
]

interface ObjectProps {
  campaign: CampaignDetail
  object: CampaignObject
  value: AtObject
  corps: readonly { code: string; name: string; people: readonly string[] }[]
  corpCode: string
  faults: Readonly<Record<string, string>>
  /** Place of its first problem among those that are sent. */
  before: number
  onChange: (more: Partial<AtObject>) => void
  onRemove: () => void
}

/** One object of a check, point by point. */
export function ObjectCard({ campaign, object, value, corps, corpCode, faults, before, onChange, onRemove }: ObjectProps) {
  const put = (code: string, more: Partial<AtPoint>) =>
    onChange({ items: { ...value.items, [code]: { ...untouched, ...value.items[code], ...more } } })
  const rest = campaign.points.filter(({ code }) => !value.items[code])
  const problems = problemsAt(campaign, object, value, corpCode)
  return (
    <Card
      title={object.name}
      remark={object.registerName}
      actions={
        <>
          <Button onClick={() => onChange({ notApplicable: value.notApplicable === null ? '' : null })}>
            {value.notApplicable === null ? '不涉及' : '恢复检查'}
          </Button>
          <Button onClick={onRemove}>本次不检</Button>
        </>
      }
    >
      {value.notApplicable !== null ? (
        <Labelled label="不涉及原因" problem={value.notApplicable === '' ? '请填写不涉及原因' : undefined}>
          {(id) => (
            <Input
              id={id}
              maxLength={100}
              placeholder="例如 已拆除退场"
              value={value.notApplicable ?? ''}
              onChange={(event) => onChange({ notApplicable: event.target.value })}
            />
          )}
        </Labelled>
      ) : (
        <>
          {rest.length > 0 && (
            <Button
              onClick={() =>
                onChange({
                  items: {
                    ...Object.fromEntries(rest.map(({ code }) => [code, { ...untouched, result: itemResults.right }])),
                    ...value.items,
                  },
                })
              }
            >
              其余 {rest.length} 项合格
            </Button>
          )}
          {campaign.points.map(({ code, name, requirement }) => {
            const item = value.items[code]
            const nth = problems.findIndex((one) => one.itemCode === code)
            const problem = problems[nth]
            return (
              <section key={code} className="theme-item" aria-label={name}>
                <b>{name}</b>
                <small className="zg-2">{requirement}</small>
                <Segmented<string>
                  block
                  options={choices}
                  value={item && item.result !== itemResults.unchecked ? item.result : ''}
                  onChange={(result) => put(code, { result: result as ItemResult })}
                />
                {item?.result === itemResults.notApplicable && (
                  <Input
                    aria-label={`${name}不涉及原因`}
                    placeholder="不涉及原因"
                    maxLength={100}
                    value={item.reason ?? ''}
                    onChange={(event) => put(code, { reason: event.target.value || null })}
                  />
                )}
                {item?.result === itemResults.right && (
                  <FieldPhotos
                    id={`${object.key}-${code}`}
                    max={mostItemPhotos}
                    value={item.photos}
                    onChange={(photos) => put(code, { photos })}
                  />
                )}
                {problem && (
                  <FailFields
                    value={problem}
                    corps={corps}
                    levels
                    faults={faultsOf(faults, before + nth)}
                    onChange={(more) => onChange({ problems: { ...value.problems, [code]: { ...value.problems[code], ...more } } })}
                  />
                )}
              </section>
            )
          })}
        </>
      )}
    </Card>
  )
}

const faultsOf = (faults: Readonly<Record<string, string>>, at: number) =>
  Object.fromEntries(
    Object.entries(faults).flatMap(([field, words]) =>
      field.startsWith(`problems.${at}.`) ? [[field.slice(`problems.${at}.`.length), words]] : [],
    ),
  )
