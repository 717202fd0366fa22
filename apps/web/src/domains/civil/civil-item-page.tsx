import { EditOutlined } from '@ant-design/icons'
import { type CivilItemDetail, changeCivilItem, failDays, getCivilItem, mostExamples } from '@zhugong/contract/civil/library'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, Empty, Pairs, Tag } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { Upload } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { WorkItem } from '#kit/work-item.tsx'
import { CivilItemSheet } from './civil-item-sheet.tsx'
import { anyProject, paths } from './civil-words.tsx'
import './civil.css'

/** What does this item demand, what is good, what is bad? */
export default function CivilItemPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择检查项" hint="从文明施工检查项列表打开一项">
          <Button onClick={() => go(paths.items)}>去文明施工检查项</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Item key={id} id={id} />
    </div>
  )
}

function Item({ id }: { id: string }) {
  const page = usePage()
  const go = useGo()
  const read = useCall(getCivilItem, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const toggle = useAct(changeCivilItem, { success: '已保存' })
  const [editing, setEditing] = useState(false)
  const may = useCan(changeCivilItem)
  const file = read.data
  return (
    <WorkItem
      title={file && `${file.itemCode} ${file.name}`}
      tags={file && <Tag tone={file.enable ? 'fine' : 'neutral'}>{file.enable ? '启用' : '停用'}</Tag>}
      facts={
        file
          ? [
              { label: '分值', value: `${file.maxScore} 分` },
              { label: '区域', value: file.areaName },
              { label: '来源', value: file.ownerName },
              { label: '版本', value: file.versionName ?? `第 ${file.revision} 次修订` },
            ]
          : []
      }
      actions={
        file &&
        may &&
        file.own && (
          <span className="zg-row zg-gap-6">
            <Button icon={<EditOutlined />} onClick={() => setEditing(true)}>
              编辑
            </Button>
            <Button
              loading={toggle.running}
              onClick={() =>
                void toggle.run({
                  params: { id },
                  query: anyProject,
                  body: { action: file.enable ? 'disable' : 'enable', version: file.version },
                })
              }
            >
              {file.enable ? '停用' : '启用'}
            </Button>
          </span>
        )
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            <History file={file} />
            <Failed file={file} />
          </>
        )
      }
    >
      {file && (
        <>
          <Card title="要求与扣分">
            <Pairs
              items={[
                { label: '要求', value: file.requirement, wide: true },
                { label: '扣分规则', value: file.rule, wide: true },
                { label: '条款', value: file.clause, wide: true },
                { label: '所属部分', value: file.partName },
                { label: '适用阶段', value: file.phaseNames.join('、') || '各阶段' },
              ]}
            />
          </Card>
          <Examples file={file} may={may} />
          {editing && (
            <CivilItemSheet
              item={file}
              versionId={file.versionId}
              onClose={(next) => {
                setEditing(false)
                if (next && next !== id) go(paths.item, { id: next }, { replace: true })
              }}
            />
          )}
        </>
      )}
    </WorkItem>
  )
}

/** Good and bad pictures; from a real check with one click. */
function Examples({ file, may }: { file: CivilItemDetail; may: boolean }) {
  const act = useAct(changeCivilItem, { success: '示例照片已保存' })
  const of = (good: boolean) => file.examples.filter((one) => one.good === good).map((one) => one.photo)
  const save = (good: readonly string[], bad: readonly string[]) =>
    void act.run({
      params: { id: file.id },
      query: anyProject,
      body: { action: 'examples', version: file.version, good: [...good], bad: [...bad] },
    })
  // Of an issued version the group that wrote it still shows examples.
  const owns = may && file.mayShow
  const taken = new Set(file.examples.map((one) => one.photo.replace(/\?.*/, '')))
  return (
    <>
      {([true, false] as const).map((good) => (
        <Card key={String(good)} title={good ? '合格示例' : '不合格示例'} remark={`${of(good).length} / ${mostExamples} 张`}>
          {of(good).length === 0 && <Empty small text="还没有示例照片" hint={owns ? '上传，或从下面的实际检查中选' : undefined} />}
          {owns ? (
            <Upload
              max={mostExamples}
              value={of(good)}
              onChange={(next) => save(good ? (next ?? []) : of(true), good ? of(false) : (next ?? []))}
            />
          ) : (
            <ul className="civil-examples">
              {of(good).map((src) => (
                <li key={src}>
                  <Thumb src={src} name={good ? '合格' : '不合格'} width={170} height={128} />
                </li>
              ))}
            </ul>
          )}
        </Card>
      ))}
      <Card title="实际检查照片" remark="公开前请确认没有人脸和车牌">
        {file.pictures.length === 0 ? (
          <Empty small text="还没有检查照片" hint="检查提交后，这一项的点位照片列在这里" />
        ) : (
          <ul className="civil-examples">
            {file.pictures.map((one) => (
              <li key={one.photo + one.checkId}>
                <figure>
                  <Thumb src={one.photo} name={one.projectName} width={170} height={128} />
                  <figcaption>
                    <Tag tone={one.right ? 'fine' : 'danger'}>{one.right ? '合格' : '不合格'}</Tag>{' '}
                    <Link to={hrefOf(paths.detail, { id: one.checkId })}>
                      {one.projectName} {one.day}
                    </Link>
                    {owns && !taken.has(one.photo.replace(/\?.*/, '')) && of(one.right).length < mostExamples && (
                      <Button
                        size="small"
                        loading={act.running}
                        onClick={() =>
                          save(one.right ? [...of(true), one.photo] : of(true), one.right ? of(false) : [...of(false), one.photo])
                        }
                      >
                        选为示例
                      </Button>
                    )}
                  </figcaption>
                </figure>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </>
  )
}

function History({ file }: { file: CivilItemDetail }) {
  return (
    <Card title="版本" remark={`${file.history.length} 个`}>
      <ul className="check-lines">
        {file.history.map((one) => (
          <li key={one.id}>
            {one.current ? <b>{one.title}</b> : <Link to={hrefOf(paths.item, { id: one.id })}>{one.title}</Link>}
            <br />
            <span className="zg-2">
              {one.at} · {one.maxScore} 分
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Where it fails most. */
function Failed({ file }: { file: CivilItemDetail }) {
  const most = Math.max(1, ...file.failed.map((one) => one.count))
  return (
    <Card title={`近 ${failDays} 天失分`} remark="所见项目">
      {file.failed.length === 0 ? (
        <Empty small text="没有失分" />
      ) : (
        <ul className="check-lines">
          {file.failed.map((one) => (
            <li key={one.projectCode}>
              {one.projectName} <b>{one.count} 次</b>
              <div className="civil-bar">
                <Filled part={one.count} whole={most} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
