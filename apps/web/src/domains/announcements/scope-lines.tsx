import { DeleteOutlined } from '@ant-design/icons'
import { createAnnouncement, noticeTargets, previewRecipients } from '@zhugong/contract/announcements/calls'
import { lineKinds, mostLines } from '@zhugong/contract/announcements/model'
import { lineFields, type NoticeLine } from '@zhugong/contract/announcements/moves'
import { Button } from 'antd'
import { useDeferredValue } from 'react'
import { useCall } from '#kit/call.ts'
import { Card, Empty } from '#kit/feedback.tsx'
import { FieldGroup } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { thousands } from '#kit/format.ts'
import { Choice, Choices } from '#kit/inputs.tsx'
import { anyProject, optionsOf } from './words.tsx'

const { Field, FieldList, useValue } = formOf(createAnnouncement)
type Name = <Key extends keyof NoticeLine & string>(key: Key) => `lines.${number}.${Key}`

/** The lines of a scope; each adds people. */
export function ScopeLines() {
  return (
    <FieldGroup title="接收范围" remark="每行增加一批人，重复的只算一次">
      <FieldList name="lines" add="加一行" max={mostLines}>
        {({ index, name, remove }) => <Line index={index} name={name as Name} remove={remove} />}
      </FieldList>
    </FieldGroup>
  )
}

function Line({ index, name, remove }: { index: number; name: Name; remove: () => void }) {
  const { data, isFetching } = useCall(noticeTargets, { query: anyProject }, { quiet: true })
  const kind = useValue(name('kind'))
  const loading = isFetching && !data
  const ofKind =
    kind === 'government'
      ? data?.governments
      : kind === 'corporation'
        ? data?.corporations
        : kind === 'project'
          ? data?.projects
          : undefined
  const units = [...(data?.governments ?? []), ...(data?.corporations ?? []), ...(data?.projects ?? [])]
  return (
    <div className="notice-line" role="group" aria-label={`第 ${index + 1} 行`}>
      <Field name={name('kind')} label="范围" required>
        <Choice clear={false} options={optionsOf(lineKinds)} />
      </Field>
      {kind === 'area' && (
        <Field name={name('areas')} label="区划" required>
          <Choices loading={loading} options={data?.areas ?? []} />
        </Field>
      )}
      {ofKind && kind && (
        <Field name={name('groups')} label={lineKinds[kind]} required>
          <Choices loading={loading} options={ofKind} />
        </Field>
      )}
      {kind === 'person' && (
        <Field name={name('members')} label="本单位人员" required>
          <Choices loading={loading} options={data?.members ?? []} />
        </Field>
      )}
      {kind !== undefined && kind !== 'person' && (
        <>
          <Field name={name('roles')} label="角色" help="不选为全部人员">
            <Choices loading={loading} options={(data?.roles ?? []).map((one) => ({ value: one, label: one }))} />
          </Field>
          <Field name={name('except')} label="不含" help="单位，或本单位的人员">
            <Choices loading={loading} options={[...units, ...(data?.members ?? [])]} />
          </Field>
        </>
      )}
      <Button className="notice-line-drop" icon={<DeleteOutlined />} aria-label={`删除第 ${index + 1} 行`} onClick={remove} />
    </div>
  )
}

const shownUnits = 12
/** How many people the lines reach as they stand, and where. */
export function RecipientCount() {
  const typed = useDeferredValue(useValue('lines'))
  const lines = (typed ?? []).flatMap((one) => {
    const { success, data } = lineFields.safeParse(one ?? {})
    return success && (data.kind === 'all' || data.areas.length + data.groups.length + data.members.length > 0) ? [data] : []
  })
  const { data, error } = useCall(
    previewRecipients,
    { query: anyProject, body: { lines } },
    { quiet: true, enabled: lines.length > 0, keepPrevious: true },
  )
  return (
    <Card title="接收人">
      {lines.length === 0 ? (
        <Empty small text="还没有接收范围" hint="在“接收范围”中加一行" />
      ) : error ? (
        <p className="tone-danger">{error.message}</p>
      ) : (
        <>
          <p className="notice-count" aria-live="polite">
            共 <b>{data ? thousands(data.people) : '--'}</b> 人，涉及 <b>{data ? thousands(data.projects) : '--'}</b> 个项目
          </p>
          {data?.people === 0 && <p className="tone-danger">范围内没有人员，不能发布</p>}
          <ul className="notice-units">
            {data?.units.slice(0, shownUnits).map((one) => (
              <li key={one.groupId}>
                <span>{one.name}</span>
                <span>{thousands(one.people)} 人</span>
              </li>
            ))}
          </ul>
          {data && data.groups > shownUnits && <p className="zg-2">另有 {thousands(data.groups - shownUnits)} 个单位</p>}
          <p className="zg-2">发布时按当时的人员固定；以后加入的可以查看，不计入回执</p>
        </>
      )}
    </Card>
  )
}
