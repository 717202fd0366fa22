import { type DockingCause, listErrors, translateError } from '@zhugong/contract/docking/causes'
import { upload } from '@zhugong/contract/docking/codes'
import { pushRecords, recordList } from '@zhugong/contract/docking/queue'
import { objectOf } from '@zhugong/contract/docking/standard'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { ExportDialog } from '#kit/export.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, FigureStrip, Notice, Tag } from '#kit/feedback.tsx'
import { FieldGroup, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf } from '#kit/page.tsx'
import { mendHref } from './docking-words.ts'
import type { TabProps } from './tab-props.ts'

const { Field } = formOf(translateError, pushRecords)

/** Upload errors grouped by cause in plain words: how many, who can fix them, and where. */
export function CausesTab({ tabs }: TabProps) {
  const { data, error, refetch } = useCall(listErrors, { query: {} }, { quiet: true, staleMs: 0 })
  const [translating, setTranslating] = useState<DockingCause>()
  const [exporting, setExporting] = useState(false)
  const failed = data?.list.reduce((sum, one) => sum + one.count, 0)
  return (
    <PageShell
      actions={
        <>
          {failed !== undefined && failed > 0 && <Button onClick={() => setExporting(true)}>导出失败</Button>}
          {tabs}
        </>
      }
    >
      <div className="dock-page">
        <FigureStrip
          loading={!data}
          items={[
            { label: '失败', value: failed, unit: '条', tone: failed ? 'danger' : undefined },
            { label: '原因', value: data?.list.length, unit: '种' },
            { label: '未收录的返回码', value: data?.list.filter((one) => !one.known).length, unit: '种' },
            { label: '无响应的连接', value: data?.down.length, unit: '个', tone: data?.down.length ? 'danger' : undefined },
          ]}
        />
        {data?.down.map((one) => (
          <Notice key={one.id} tone="danger">
            {one.name}：对方无响应，已暂停，每 5 分钟探测{one.probeAt && `，下次 ${one.probeAt.slice(11, 16)}`}；{one.waiting}{' '}
            条待上传，恢复后自动补传
          </Notice>
        ))}
        {error ? (
          <ErrorPanel error={error} retry={refetch} />
        ) : !data ? (
          <DetailSkeleton />
        ) : data.list.length === 0 ? (
          <Empty text="没有失败的数据" hint="被上级拒绝或缺少必填项的数据按原因汇总在这里" />
        ) : (
          <Card title="失败原因" remark="补齐源数据后自动重新上传，不需要手工重推" flush>
            <ul className="dock-causes">
              {data.list.map((one) => (
                <Cause
                  key={`${one.profile} ${one.code} ${one.field} ${one.objectType}`}
                  cause={one}
                  onTranslate={() => setTranslating(one)}
                />
              ))}
            </ul>
          </Card>
        )}
        {data && <Known known={data.known} />}
      </div>
      {translating && <Translate cause={translating} known={data?.known ?? []} onClose={() => setTranslating(undefined)} />}
      {exporting && failed !== undefined && (
        <ExportDialog
          feature={recordList.feature ?? ''}
          title="失败的上报数据"
          query={{ uploadStatus: upload.failed }}
          columns={Object.keys(recordList.columns)}
          total={failed}
          onClose={() => setExporting(false)}
        />
      )}
    </PageShell>
  )
}

function Cause({ cause, onTranslate }: { cause: DockingCause; onTranslate: () => void }) {
  const push = useAct(pushRecords, { success: ({ count }) => `${count} 条已重新排队` })
  const mend = mendHref(cause.objectType, cause.sampleSource)
  return (
    <li>
      <div>
        <Link
          to={hrefOf('/RegulatoryDocking', {
            tab: 'queue',
            uploadStatus: upload.failed,
            objectType: cause.objectType,
            errorCode: cause.code,
            errorField: cause.field || undefined,
          })}
        >
          {cause.text}
        </Link>{' '}
        · <strong>{cause.count}</strong> 条 · 由{cause.mender} <small className="zg-2">{cause.code}</small>
        <div className="zg-2">
          {objectOf(cause.objectType).name}，最早 {cause.since.slice(0, 16)} {!cause.known && <Tag tone="warning">未收录</Tag>}
        </div>
      </div>
      <div className="dock-acts">
        {!cause.known && (
          <Can call={translateError}>
            <Button onClick={onTranslate}>添加翻译</Button>
          </Can>
        )}
        {mend && (
          <Link className="ant-btn" to={mend}>
            去补录
          </Link>
        )}
        <Can call={pushRecords}>
          <Button
            loading={push.running}
            onClick={() =>
              void push.afterRequesting(
                {
                  thing: `重推本组 ${cause.count} 条`,
                  consequence: '没有补齐的数据会再次失败；上次的回执保留。',
                  verb: '重推',
                  keep: '先不重推',
                },
                { body: { cause: { code: cause.code, field: cause.field } } },
              )
            }
          >
            重推本组
          </Button>
        </Can>
      </div>
    </li>
  )
}

interface KnownError {
  profile: string
  code: string
  text: string
  mender: string
  own: boolean
  version: number
}

function Known({ known }: { known: readonly KnownError[] }) {
  return (
    <Card title="返回码说明" remark="L 开头的在发送前由本平台查出">
      <div className="dock-scroll">
        <table className="dock-table">
          <thead>
            <tr>
              <th>返回码</th>
              <th>说明</th>
              <th>由谁处理</th>
              <th>来源</th>
            </tr>
          </thead>
          <tbody>
            {known.map((one) => (
              <tr key={`${one.profile} ${one.code} ${one.own}`}>
                <td>{one.code}</td>
                <td>{one.text.replace('{field}', '某字段')}</td>
                <td>{one.mender}</td>
                <td>{one.own ? '平台添加' : '出厂'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

/** Translates an error code; the text applies to past and future rows with the code. */
function Translate({ cause, known, onClose }: { cause: DockingCause; known: readonly KnownError[]; onClose: () => void }) {
  const act = useAct(translateError, { success: '已添加，所有同码数据一并更新' })
  const existing = known.find((one) => one.own && one.profile === cause.profile && one.code === cause.code)
  return (
    <FormDrawer
      open
      narrow
      act={act}
      title="翻译返回码"
      remark={cause.code}
      initial={{
        profile: cause.profile,
        code: cause.code,
        text: existing?.text,
        mender: existing?.mender,
        version: existing?.version ?? 0,
      }}
      input={(body) => ({ body: { ...body, profile: cause.profile as 'national', code: cause.code, version: existing?.version ?? 0 } })}
      onClose={onClose}
    >
      <FieldGroup title={cause.text}>
        <Field name="text" label="说明" help="用劳务员能看懂的话；{field} 代表字段名称">
          <Input />
        </Field>
        <Field name="mender" label="由谁处理">
          <Input placeholder="例如：劳务员核对证件后修改" />
        </Field>
      </FieldGroup>
    </FormDrawer>
  )
}
