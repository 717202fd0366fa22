import { mostProblemPhotos } from '@zhugong/contract/checks/problems'
import { majorLevel, usualDays } from '@zhugong/contract/rectify/moves'
import { Input, Segmented, Switch } from 'antd'
import { useDicts } from '#kit/dicts.ts'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { Choice, DayInput } from '#kit/inputs.tsx'
import './checks.css'
import { inDays, Labelled, type Problem } from './problem-editor.tsx'

interface FailFieldsProps {
  value: Problem
  corps: readonly { code: string; name: string; people: readonly string[] }[]
  /** Messages of the server by the name of the field. */
  faults: Readonly<Record<string, string | undefined>>
  /** The gravity is asked for. */
  levels?: boolean
  onChange: (change: Partial<Problem>) => void
}

/** What an item that failed asks for: what is wrong, who mends it until when, or what was done at once. */
export function FailFields({ value, corps, faults, levels = false, onChange }: FailFieldsProps) {
  const dicts = useDicts('hiddenDangerLevel')
  const people = corps.find((one) => one.code === value.corpCode)?.people ?? []
  const isMajor = value.dangerLevel === majorLevel
  const isMended = value.mended !== null
  return (
    <div className="check-fail">
      <Labelled label="问题" problem={faults.description}>
        {(id) => (
          <Input.TextArea
            id={id}
            rows={2}
            maxLength={500}
            placeholder="看到了什么，在哪里，有多少"
            value={value.description}
            onChange={(event) => onChange({ description: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled label="问题照片" problem={faults.photos}>
        {(id) => <FieldPhotos id={id} max={mostProblemPhotos} value={value.photos} onChange={(photos) => onChange({ photos })} />}
      </Labelled>
      <Labelled label="整改要求" problem={faults.requirement}>
        {(id) => (
          <Input id={id} maxLength={500} value={value.requirement} onChange={(event) => onChange({ requirement: event.target.value })} />
        )}
      </Labelled>
      <div className="check-pair">
        <Labelled label="责任单位" problem={faults.corpCode}>
          {(id) => (
            <Choice
              id={id}
              options={corps.map((one) => ({ value: one.code, label: one.name }))}
              value={value.corpCode || null}
              onChange={(corpCode) => onChange({ corpCode: corpCode ?? '', person: null })}
            />
          )}
        </Labelled>
        <Labelled label="整改人" problem={faults.person}>
          {(id) =>
            people.length > 0 ? (
              <Choice
                id={id}
                options={people.map((name) => ({ value: name, label: name }))}
                value={value.person}
                onChange={(person) => onChange({ person: person ?? null })}
              />
            ) : (
              <Input
                id={id}
                maxLength={50}
                value={value.person ?? ''}
                onChange={(event) => onChange({ person: event.target.value || null })}
              />
            )
          }
        </Labelled>
        <Labelled label="期限" problem={faults.deadline}>
          {(id) => (
            <DayInput
              id={id}
              min={inDays(0)}
              value={value.deadline}
              onChange={(deadline) => onChange({ deadline: deadline ?? inDays(1) })}
            />
          )}
        </Labelled>
      </div>
      {levels && (
        <Labelled label="隐患等级" problem={faults.dangerLevel}>
          {() => (
            <Segmented
              block
              options={dicts.options('hiddenDangerLevel')}
              value={value.dangerLevel}
              onChange={(dangerLevel) =>
                onChange(
                  dangerLevel === majorLevel
                    ? { dangerLevel, mended: null, deadline: inDays(usualDays[majorLevel] ?? 1) }
                    : { dangerLevel, majorClause: null },
                )
              }
            />
          )}
        </Labelled>
      )}
      {isMajor ? (
        <Labelled label="判定条款" problem={faults.majorClause}>
          {(id) => (
            <Input
              id={id}
              maxLength={200}
              placeholder="重大事故隐患判定标准第几条"
              value={value.majorClause ?? ''}
              onChange={(event) => onChange({ majorClause: event.target.value || null })}
            />
          )}
        </Labelled>
      ) : (
        <p className="zg-row zg-middle zg-gap-6 check-mended">
          <Switch checked={isMended} aria-label="当场改正" onChange={(on) => onChange({ mended: on ? '' : null, mendedPhotos: [] })} />{' '}
          已当场改正
        </p>
      )}
      {isMended && (
        <>
          <Labelled label="改正措施" problem={faults.mended}>
            {(id) => (
              <Input
                id={id}
                maxLength={500}
                placeholder="当场做了什么"
                value={value.mended ?? ''}
                onChange={(event) => onChange({ mended: event.target.value })}
              />
            )}
          </Labelled>
          <Labelled label="改正后照片" problem={faults.mendedPhotos}>
            {(id) => (
              <FieldPhotos
                id={id}
                max={mostProblemPhotos}
                value={value.mendedPhotos}
                onChange={(mendedPhotos) => onChange({ mendedPhotos })}
              />
            )}
          </Labelled>
        </>
      )}
    </div>
  )
}
