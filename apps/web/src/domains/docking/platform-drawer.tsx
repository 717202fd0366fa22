import { platformState } from '@zhugong/contract/docking/codes'
import { changePlatform, createPlatform, type DockingPlatform } from '@zhugong/contract/docking/connections'
import { objectTypes, profiles } from '@zhugong/contract/docking/standard'
import { pickProjects } from '@zhugong/contract/organisation/projects'
import { Input, Switch } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { FieldGroup, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { AreaInput, Choice, Choices } from '#kit/inputs.tsx'
import { objectOptions, stateOptions } from './docking-words.ts'

const { Field } = formOf(createPlatform, changePlatform)

const mostProjects = 500
const profileOptions = Object.entries(profiles).map(([value, { name }]) => ({ value, label: name }))
const fresh = { profile: 'national', objects: [...objectTypes], projects: [], profileChecked: false }

/** Creates or changes a connection; its secret can be set but never read. */
export function PlatformDrawer({ platform, onClose }: { platform: DockingPlatform | undefined; onClose: () => void }) {
  return platform ? <Change platform={platform} onClose={onClose} /> : <Create onClose={onClose} />
}

function Create({ onClose }: { onClose: () => void }) {
  const act = useAct(createPlatform, { success: '已新增；完成资料审核后可以启用' })
  return (
    <FormDrawer open act={act} title="新增对接平台" initial={fresh} input={(body) => ({ body })} onClose={onClose}>
      <Fields hasSecret={false} />
    </FormDrawer>
  )
}

function Change({ platform, onClose }: { platform: DockingPlatform; onClose: () => void }) {
  const act = useAct(changePlatform)
  const initial = { ...platform, projects: platform.projects.map((one) => one.code), secret: undefined }
  return (
    <FormDrawer
      open
      act={act}
      title="修改对接平台"
      remark={platform.name}
      initial={initial}
      input={(body) => ({ body: { ...body, id: platform.id, version: platform.version } })}
      onClose={onClose}
    >
      <Fields hasSecret={platform.hasSecret}>
        <Field
          name="status"
          label="状态"
          help={`测试中及以后才能设为“${stateOptions.find((one) => one.value === platformState.running)?.label}”`}
        >
          <Choice options={stateOptions} clear={false} />
        </Field>
      </Fields>
    </FormDrawer>
  )
}

function Fields({ hasSecret, children }: { hasSecret: boolean; children?: React.ReactNode }) {
  const dicts = useDicts('govLevel')
  const projects = useCall(pickProjects, { query: { size: mostProjects } }, { quiet: true })
  return (
    <>
      <FieldGroup title="上级平台">
        <Field name="name" label="名称" span="all">
          <Input />
        </Field>
        <Field name="level" label="层级">
          <Choice options={dicts.options('govLevel')} />
        </Field>
        <Field name="areaCode" label="行政区划">
          <AreaInput />
        </Field>
        <Field name="profile" label="数据标准">
          <Choice options={profileOptions} clear={false} />
        </Field>
        <Field name="profileChecked" label="已与上级文档核对" valueName="checked" help="与上级平台的接口文档逐项核对过字段和字典后勾选">
          <Switch />
        </Field>
        {children}
      </FieldGroup>
      <FieldGroup title="连接">
        <Field name="endpoint" label="接口地址" span="all">
          <Input placeholder="https://" />
        </Field>
        <Field name="appKey" label="接入标识">
          <Input autoComplete="off" />
        </Field>
        <Field
          name="secret"
          label="接入密钥"
          required={!hasSecret}
          help={hasSecret ? '已设置；留空不改，改动接口地址时须重新填写' : '加密保存，之后不再显示'}
        >
          <Input.Password autoComplete="new-password" />
        </Field>
      </FieldGroup>
      <FieldGroup title="上传范围">
        <Field name="objects" label="上传对象" span="all" help="按标准的顺序上传">
          <Choices options={objectOptions} />
        </Field>
        <Field name="projects" label="上传项目" span="all" help="新加入的项目先补传现有企业、班组与人员；移出的项目不再上传">
          <Choices
            options={(projects.data?.list ?? []).map((one) => ({ value: one.projectCode, label: one.name }))}
            loading={projects.isPending}
          />
        </Field>
      </FieldGroup>
    </>
  )
}
