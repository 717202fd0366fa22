import { holderName, holderTypes } from '@zhugong/contract/apps/codes'
import {
  createRule,
  homePaths,
  noConditions,
  type RuleConditions,
  type Scheme,
  tryRules,
  type UiRule,
  updateRule,
} from '@zhugong/contract/apps/menu-endpoints'
import { Input } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Notice } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { fieldsOf } from '#kit/form-of.ts'
import { AreaInput, Choice, Choices } from '#kit/inputs.tsx'

const { Field, useValue } = fieldsOf<Fields>()

/** Conditions of a rule in words. */
export function useConditionWords(): (conditions: RuleConditions) => string {
  const dicts = useDicts('govType', 'govLevel', 'corpKind', 'projectCategory')
  return ({ groupTypes, govTypes, levels, areaCodes, corpKinds, projectCategories }) => {
    const of = (dict: string, codes: readonly string[]) => codes.map((code) => dicts.name(dict, code)).join('、')
    const parts = [
      groupTypes.map(holderName).join('、'),
      of('govType', govTypes),
      of('govLevel', levels),
      areaCodes.length > 0 ? `区划 ${areaCodes.join('、')}` : '',
      of('corpKind', corpKinds),
      of('projectCategory', projectCategories),
    ].filter(Boolean)
    return parts.length > 0 ? parts.join('；') : '所有组'
  }
}

interface Fields {
  name: string
  types?: string[]
  govTypes?: string[]
  levels?: string[]
  area?: string
  corpKinds?: string[]
  projectCategories?: string[]
  uiGroupId?: string | null
  homePath?: keyof typeof homePaths
}
const conditionsOf = (fields: Partial<Fields>): RuleConditions => ({
  ...noConditions,
  groupTypes: (fields.types ?? []).map(Number),
  govTypes: fields.govTypes ?? [],
  levels: fields.levels ?? [],
  areaCodes: fields.area ? [fields.area] : [],
  corpKinds: fields.corpKinds ?? [],
  projectCategories: fields.projectCategories ?? [],
})

export function RuleDrawer({ rule, schemes, onClose }: { rule: UiRule | undefined; schemes: readonly Scheme[]; onClose: () => void }) {
  const make = useAct(createRule, { success: '规则已新增，排在默认规则之前' })
  const change = useAct(updateRule)
  const parts = <RuleFields schemes={schemes} isDefault={rule?.isDefault ?? false} />
  if (!rule)
    return (
      <FormDrawer
        open
        act={make}
        title="新增规则"
        initial={{ homePath: '/main' }}
        input={(body) => {
          const fields = body as unknown as Fields
          return {
            body: {
              name: fields.name ?? '',
              conditions: conditionsOf(fields),
              uiGroupId: fields.uiGroupId ?? null,
              homePath: fields.homePath ?? '/main',
            },
          }
        }}
        onClose={onClose}
      >
        {parts}
      </FormDrawer>
    )
  const { conditions } = rule
  return (
    <FormDrawer
      open
      act={change}
      title="修改规则"
      remark={rule.name}
      initial={{
        name: rule.name,
        types: conditions.groupTypes.map(String),
        govTypes: conditions.govTypes,
        levels: conditions.levels,
        area: conditions.areaCodes[0],
        corpKinds: conditions.corpKinds,
        projectCategories: conditions.projectCategories,
        uiGroupId: rule.uiGroupId,
        homePath: rule.homePath,
      }}
      input={(body) => {
        const fields = body as unknown as Fields
        return {
          params: { id: rule.id },
          body: {
            name: fields.name ?? '',
            ...(rule.isDefault ? {} : { conditions: conditionsOf(fields) }),
            uiGroupId: fields.uiGroupId ?? null,
            homePath: fields.homePath ?? '/main',
            version: rule.version,
          },
        }
      }}
      onClose={onClose}
    >
      {parts}
    </FormDrawer>
  )
}

function RuleFields({ schemes, isDefault }: { schemes: readonly Scheme[]; isDefault: boolean }) {
  const dicts = useDicts('govType', 'govLevel', 'corpKind', 'projectCategory')
  return (
    <>
      <Field name="name" label="规则名称" required>
        <Input maxLength={20} />
      </Field>
      <Field name="uiGroupId" label="菜单方案" help="只能选已发布的；不选即按菜单列表">
        <Choice options={schemes.filter((one) => one.publishedAt !== null).map((one) => ({ value: one.id, label: one.name }))} />
      </Field>
      <Field name="homePath" label="首页">
        <Choice clear={false} options={Object.entries(homePaths).map(([value, label]) => ({ value, label }))} />
      </Field>
      {!isDefault && (
        <>
          <Field name="types" label="组类型">
            <Choices options={Object.entries({ '0': '平台', ...holderTypes }).map(([value, label]) => ({ value, label }))} />
          </Field>
          <Field name="area" label="区划" help="含下级区划">
            <AreaInput />
          </Field>
          <Field name="govTypes" label="机构类型">
            <Choices options={dicts.options('govType')} />
          </Field>
          <Field name="levels" label="机构层级">
            <Choices options={dicts.options('govLevel')} />
          </Field>
          <Field name="corpKinds" label="企业类别">
            <Choices options={dicts.options('corpKind')} />
          </Field>
          <Field name="projectCategories" label="项目类别">
            <Choices options={dicts.options('projectCategory')} />
          </Field>
          <LiveCount />
        </>
      )}
    </>
  )
}

/** Number of groups that match the conditions being edited. */
function LiveCount() {
  const [types, area, govTypes, levels, corpKinds, projectCategories] = [
    useValue('types'),
    useValue('area'),
    useValue('govTypes'),
    useValue('levels'),
    useValue('corpKinds'),
    useValue('projectCategories'),
  ]
  const conditions = conditionsOf({
    types: types || undefined,
    area: area || undefined,
    govTypes: govTypes || undefined,
    levels: levels || undefined,
    corpKinds: corpKinds || undefined,
    projectCategories: projectCategories || undefined,
  })
  const { data } = useCall(tryRules, { body: { conditions } }, { quiet: true, keepPrevious: true })
  return (
    <div className="zg-span-all">
      <Notice tone="info">
        符合条件的组 {data?.groups ?? '--'} 个
        {data && data.names.length > 0 && `：${data.names.join('、')}${data.groups > data.names.length ? ' 等' : ''}`}
      </Notice>
    </div>
  )
}
