import { createCompanyBlack, getCompanyBlack, removeCompanyBlack, updateCompanyBlack } from '@zhugong/contract/labour/black'
import { blackScopes, blackStates } from '@zhugong/contract/labour/black-codes'
import { companyBlackFigures, companyBlackList } from '@zhugong/contract/labour/black-lists'
import { pickCorporations } from '@zhugong/contract/organisation/corporations'
import { Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Notice } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { thousands } from '#kit/format.ts'
import { Choice } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useMe, useProjectCode, useProjectScope } from '#kit/me.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { BlackBar, type BlackTab } from './black-bar.tsx'
import { BlackCharts } from './black-charts.tsx'
import { companyColumns } from './black-columns.tsx'
import { BlackFacts, BlackReach, usualDays } from './black-form.tsx'
import { BlackWork } from './black-work.tsx'
import './black.css'

const { Field } = formOf(createCompanyBlack, updateCompanyBlack)

const all = { projectCode: '*' }
const drawerPx = 960
const tabs: readonly BlackTab[] = ['effective', 'todo', 'waiting', 'appeal', 'ended', 'stats']

/** Black list of companies; each entry is based on a numbered document and visible to all groups. */
export default function CompanyBlackPage() {
  const go = useGo()
  const page = usePage()
  const query = usePageQuery()
  const tab = query.get('tab') ?? 'effective'
  const opened = query.get('id') ?? undefined
  const corpCode = query.get('corpCode') ?? undefined
  const scope = useProjectScope()
  const figures = useCall(companyBlackFigures, { query: scope }, { quiet: true })
  const [making, setMaking] = useState<{ id?: string; corpCode?: string | undefined }>()
  const f = figures.data
  const bar = <BlackBar tabs={tabs} tab={tab} create={createCompanyBlack} onCreate={() => setMaking({ corpCode })} />
  return (
    <ListShell
      actions={bar}
      titleActions={tab === 'stats' ? bar : undefined}
      strip={
        <FigureStrip
          loading={!figures.data}
          items={[
            { label: '生效中', value: thousands(f?.effective), unit: '家', href: '/companyBlack?tab=effective' },
            {
              label: '仍在场企业',
              value: thousands(f?.inPlace),
              unit: '家',
              remark: '可留场，不得新增班组',
              tone: f?.inPlace ? 'danger' : undefined,
              href: hrefOf('/companyBlack', { tab: 'effective', inPlace: '1,' }),
            },
            { label: '待审核', value: thousands(f?.waiting), unit: '条', href: '/companyBlack?tab=waiting' },
            { label: '30 日内移出', value: thousands(f?.ending), unit: '家' },
          ]}
        />
      }
      above={
        f !== undefined &&
        f.inPlace > 0 &&
        tab === 'effective' && (
          <Notice tone="warning">
            名单内 {f.inPlace} 家企业仍在您看到的项目参建：不清退，但不能新增班组；请项目核对分包合同与在场班组。
          </Notice>
        )
      }
    >
      {tab === 'stats' ? (
        <BlackCharts figures={f} hitWord="拒绝加入" />
      ) : (
        <Entries
          key={tab}
          tab={tab}
          corpCode={corpCode}
          onOpen={(id) => go(page.path, { tab, id }, { replace: true })}
          onEdit={(id) => setMaking({ id })}
        />
      )}
      <PageDrawer
        open={opened !== undefined}
        size={drawerPx}
        title={null}
        closable={false}
        styles={{ body: { padding: 0, background: colors.ground } }}
        onClose={() => go(page.path, { tab }, { replace: true })}
      >
        {opened && (
          <BlackWork
            key={opened}
            kind="corp"
            id={opened}
            onClose={() => go(page.path, { tab }, { replace: true })}
            onEdit={() => setMaking({ id: opened })}
          />
        )}
      </PageDrawer>
      {making &&
        (making.id ? (
          <Edit id={making.id} onClose={() => setMaking(undefined)} />
        ) : (
          <Create corpCode={making.corpCode} onClose={() => setMaking(undefined)} />
        ))}
    </ListShell>
  )
}

function Entries({
  tab,
  corpCode,
  onOpen,
  onEdit,
}: {
  tab: string
  corpCode: string | undefined
  onOpen: (id: string) => void
  onEdit: (id: string) => void
}) {
  const scope = useProjectScope()
  const dicts = useDicts('corpBlacklistReason', 'blacklistScope', 'misconductState')
  const list = useListPage(companyBlackList, {
    scope: { ...scope, view: tab as 'effective' },
    defaultSort: '-startDate',
    own: ['tab', 'id'],
  })
  const named = list.rows.find((e) => e.corpCode === corpCode)?.name
  const remove = useAct(removeCompanyBlack, { success: '草稿已删除' })
  return (
    <DataTable
      list={list}
      columns={companyColumns(dicts)}
      unit="家"
      name={`company-black-${tab}`}
      filterWords={corpCode ? { corpCode: { title: '企业', words: { [corpCode]: named ?? corpCode } } } : undefined}
      search={{ key: 'q', placeholder: '企业名称、信用代码' }}
      onRow={(e) => onOpen(e.id)}
      emptyHint={tab === 'todo' ? '没有等您办理的记录' : '名单内没有企业'}
      actions={(e) => [
        { label: '查看', onClick: () => onOpen(e.id) },
        e.own && ['0', '3'].includes(e.status) && { label: '修改', needs: updateCompanyBlack, onClick: () => onEdit(e.id) },
        e.own &&
          e.status === blackStates.draft && {
            label: '删除',
            danger: true,
            needs: removeCompanyBlack,
            onClick: () =>
              void remove.afterRequesting(
                { thing: `删除 ${e.name} 的草稿`, consequence: '草稿未提交，删除后不留记录，操作日志除外。', verb: '删除', keep: '保留' },
                { params: { id: e.id }, query: all },
              ),
          },
      ]}
    />
  )
}

function Create({ corpCode, onClose }: { corpCode: string | undefined; onClose: () => void }) {
  const projectCode = useProjectCode()
  const type = useMe((me) => me.info?.groupsType)
  const act = useAct(createCompanyBlack, { success: '草稿已保存，打开后提交审核', onDone: onClose })
  const at = projectCode === '*' ? undefined : projectCode
  return (
    <FormDrawer
      open
      act={act}
      title="提出企业黑名单"
      initial={{
        corpCode,
        scope: type === 1 ? blackScopes.area : blackScopes.project,
        scopeProject: at,
        sourceProject: at,
        ...usualDays(),
      }}
      input={(body) => ({ query: all, body })}
      saveText="存草稿"
      onClose={onClose}
    >
      <Fields />
    </FormDrawer>
  )
}

function Edit({ id, onClose }: { id: string; onClose: () => void }) {
  const read = useCall(getCompanyBlack, { params: { id }, query: all }, { staleMs: 0 })
  const act = useAct(updateCompanyBlack, { success: '已保存', onDone: onClose })
  const e = read.data
  if (!e) return null
  return (
    <FormDrawer
      open
      act={act}
      title="修改企业黑名单"
      remark={e.name}
      initial={{
        ...e,
        scopeProject: e.scope === blackScopes.project ? e.scopeCode : undefined,
        scopeArea: e.scope === blackScopes.area ? e.scopeCode : undefined,
      }}
      input={(body) => ({ params: { id }, query: all, body })}
      onClose={onClose}
    >
      <Fields />
    </FormDrawer>
  )
}

function Fields() {
  const dicts = useDicts('corpBlacklistReason')
  const corps = useCall(pickCorporations, { query: {} }, { quiet: true })
  return (
    <>
      <Field name="corpCode" label="企业">
        <Choice
          options={(corps.data?.list ?? []).map((c) => ({ value: c.code, label: `${c.name}（${c.code}）` }))}
          loading={corps.isPending}
        />
      </Field>
      <Field name="reasonType" label="原因">
        <Choice options={dicts.options('corpBlacklistReason')} />
      </Field>
      <Field name="docNo" label="处罚或裁判文号">
        <Input maxLength={100} />
      </Field>
      <Field name="decideOrg" label="认定机关">
        <Input maxLength={100} />
      </Field>
      <BlackReach />
      <BlackFacts docs="处罚决定书、裁判文书、失信名单公告等" />
    </>
  )
}
