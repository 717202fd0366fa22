import { permissionModules } from '@zhugong/contract/access/codes'
import { type AppRow, createApp, getApp, listApps, listCategories, updateApp } from '@zhugong/contract/apps/app-endpoints'
import { applyForApps, applyStates, listAppApplies } from '@zhugong/contract/apps/apply-endpoints'
import { appTypeNames, appTypes } from '@zhugong/contract/apps/codes'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, DetailSkeleton, ErrorPanel, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { DependentFields, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, Choices, NumberInput } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import { ApplyDrawer } from './apply-drawer.tsx'
import { IconInput } from './icon-input.tsx'
import { AppName, Ending, StateTag, typeOptions } from './parts.tsx'

const { Field, useValue } = formOf(createApp, updateApp)

/** One app: its functions, pages and the devices it needs on site. */
export function AppDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const go = useGo()
  const read = useCall(getApp, { params: { id } }, { quiet: true })
  const applies = useCall(listAppApplies, { query: { projectCode: '*', appId: id, state: applyStates.waiting } }, { quiet: true })
  const [applying, setApplying] = useState(false)
  const app = read.data
  const waits = (applies.data?.total ?? 0) > 0
  const first = app?.appType === appTypes.external ? hrefOf('/iframePath', { appId: id }) : (app?.menus[0]?.path ?? app?.entry ?? undefined)
  const isOpen = app && (app.base || (app.mine && app.mine.state !== 'ended' && app.mine.state !== 'pending'))
  return (
    <PageDrawer
      open
      size={640}
      title={app ? <AppName icon={app.icon} name={app.name} /> : '应用'}
      onClose={onClose}
      footer={
        <>
          {isOpen && first && (
            <Button type="primary" onClick={() => go(first)}>
              打开应用
            </Button>
          )}
          {app && !app.base && (
            <Can call={applyForApps}>
              <Button disabled={waits} onClick={() => setApplying(true)}>
                {waits ? '审批中' : app.mine ? '申请续期' : '申请开通'}
              </Button>
            </Can>
          )}
        </>
      }
    >
      {read.error ? (
        <ErrorPanel error={read.error} retry={read.refetch} />
      ) : !app ? (
        <DetailSkeleton />
      ) : (
        <>
          <Pairs
            items={[
              { label: '说明', value: app.summary, wide: true },
              { label: '类型', value: appTypeNames[app.appType] },
              { label: '分类', value: app.categoryName },
              { label: '状态', value: app.base ? '基础应用，一直可用' : app.mine ? <StateTag state={app.mine.state} /> : '未开通' },
              { label: '期限', value: app.mine ? <Ending deadline={app.mine.deadline} leftTime={app.mine.leftTime} /> : null },
              { label: '需要的设备', value: app.devices || '不需要设备' },
              { label: '需先开通', value: app.prerequisites.map((one) => one.name).join('、') || '无' },
              ...(app.host ? [{ label: '外部系统', value: app.host }] : []),
            ]}
          />
          {app.mine?.state === 'grace' && <Notice tone="warning">已到期，宽限期内只能查看；设备、门禁和考勤不停，数据不删除。</Notice>}
          {app.menus.length > 0 && (
            <Card title="页面" remark={`${app.menus.length} 个`}>
              {app.menus.map((menu) => menu.title).join('、')}
            </Card>
          )}
          {app.functions.length > 0 && (
            <Card title="功能" remark={`${app.functions.length} 项`}>
              <div className="apps-bar">
                {app.functions.map((one) => (
                  <Tag key={one.code} tone={one.sensitive ? 'warning' : 'neutral'} icon={false}>
                    {one.name}
                  </Tag>
                ))}
              </div>
            </Card>
          )}
        </>
      )}
      {applying && app && <ApplyDrawer app={app} onClose={() => setApplying(false)} />}
    </PageDrawer>
  )
}

/** Creates an app of the catalogue, or changes an existing one. */
export function AppEditDrawer({ app, onClose }: { app: AppRow | undefined; onClose: () => void }) {
  const make = useAct(createApp, { success: '应用已新增' })
  const change = useAct(updateApp)
  if (!app)
    return (
      <FormDrawer
        open
        act={make}
        title="新增应用"
        initial={{ appType: appTypes.external, icon: 'globe', groupTypes: [1, 2, 3], prerequisites: [], codes: [] }}
        onClose={onClose}
      >
        <Field name="code" label="编码" help="之后不能修改">
          <Input />
        </Field>
        <Field name="appType" label="类型">
          <Choice clear={false} options={Object.entries(appTypeNames).map(([value, label]) => ({ value, label }))} />
        </Field>
        <Common />
        <ByType />
      </FormDrawer>
    )
  const { name, summary, categoryId, icon, groupTypes, defaultDays, devices, entry, version } = app
  const external = app.appType === appTypes.external
  return (
    <FormDrawer
      open
      act={change}
      title="修改应用"
      remark={app.builtIn ? `${name}，功能与类型随产品更新` : name}
      initial={{
        name,
        summary,
        categoryId,
        icon,
        groupTypes,
        defaultDays,
        devices,
        prerequisites: app.prerequisites.map((one) => one.id),
        entry: external ? entry : undefined,
        appType: external ? app.appType : undefined,
        version,
      }}
      input={(body) => ({ params: { id: app.id }, body: { ...body, defaultDays: body.defaultDays ?? null, version } })}
      onClose={onClose}
    >
      <Common without={app.id} />
      {external && <External />}
    </FormDrawer>
  )
}

/** Converts group types, numbers in the API, to the strings of a choice input. */
function TypesInput({ value, onChange }: { value?: number[] | null; onChange?: (value: number[]) => void }) {
  return (
    <Choices
      aria-label="适用"
      value={(value ?? []).map(String)}
      options={typeOptions}
      onChange={(next) => onChange?.((next ?? []).map(Number))}
    />
  )
}

function Common({ without }: { without?: string }) {
  const categories = useCall(listCategories, { query: { size: 200 } }, { quiet: true })
  const apps = useCall(listApps, { query: { size: 200 } }, { quiet: true })
  return (
    <>
      <Field name="name" label="名称">
        <Input />
      </Field>
      <Field name="categoryId" label="分类">
        <Choice options={(categories.data?.list ?? []).map((one) => ({ value: one.id, label: one.name }))} loading={categories.isPending} />
      </Field>
      <Field name="summary" label="一句话说明" span="all">
        <Input />
      </Field>
      <Field name="icon" label="图标">
        <IconInput />
      </Field>
      <Field name="groupTypes" label="适用">
        <TypesInput />
      </Field>
      <Field name="prerequisites" label="需先开通">
        <Choices
          loading={apps.isPending}
          options={(apps.data?.list ?? [])
            .filter((app) => app.id !== without && !app.base)
            .map((app) => ({ value: app.id, label: app.name }))}
        />
      </Field>
      <Field name="defaultDays" label="默认天数" help="不填即长期">
        <NumberInput min={1} max={3660} unit="天" />
      </Field>
      <Field name="devices" label="需要的设备" span="all">
        <Input />
      </Field>
    </>
  )
}

function External() {
  return (
    <DependentFields why="外部链接在平台的框架里打开">
      <Field name="entry" label="外部地址" span="all" help="https:// 开头；页面只能在框架里运行，读不到平台的数据">
        <Input />
      </Field>
    </DependentFields>
  )
}

const codeOptions = permissionModules.flatMap((m) => m.permissions.map((p) => ({ value: p.code, label: `${m.name} ${p.name}` })))

function ByType() {
  const type = useValue('appType')
  if (type === appTypes.external) return <External />
  return (
    <DependentFields why="平台应用把已有的功能打包授权">
      <Field name="entry" label="入口页面" help="平台内的路径，如 /tower/monitor">
        <Input />
      </Field>
      <Field name="codes" label="包含的功能" span="all" help="已经单独授权这些功能的机构不受影响">
        <Choices options={codeOptions} />
      </Field>
    </DependentFields>
  )
}
