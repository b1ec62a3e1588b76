// What can be added to a list, as the dialog shows it: components and their presets, searched and in groups.
import { displayName } from '../model/blocks.ts';
import { grouped } from '../model/grouped.ts';
import type { Component, ComponentGroup, Preset } from '../model/schema.ts';

export interface Choice {
  readonly id: string;
  readonly label: string;
  /** What is known of it beside its name. */
  readonly about: string;
  readonly image: string | null;
  readonly component: Component;
  readonly preset: Preset | undefined;
}

export interface ChoiceGroup {
  readonly uuid: string;
  readonly name: string;
  readonly choices: readonly Choice[];
}

/** The components and their presets whose names, descriptions or tags have every word of a search. */
export function choicesOf(components: readonly Component[], search: string): readonly Choice[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (...texts: (string | null)[]) => words.every((word) => texts.some((text) => text?.toLowerCase().includes(word)));
  return components.flatMap((component) => {
    const name = displayName(component);
    const tags = component.tags.map((tag) => tag.name);
    const itself: Choice = { id: component.name, label: name, about: component.description ?? '', image: pictureOf(component.image), component, preset: undefined };
    const presets = component.presets.map((preset): Choice => ({
      id: `${component.name} ${preset.id}`,
      label: `${name}: ${preset.name}`,
      about: preset.description ?? '',
      image: pictureOf(preset.image),
      component,
      preset,
    }));
    return [itself, ...presets].filter((choice) => has(choice.label, choice.about, component.name, ...tags));
  });
}

/** What content names without a scheme is https, also where the studio is not. */
function pictureOf(image: string | null): string | null {
  return image && image.replace(/^\/\//, 'https://');
}

/** By group, in the order of the groups' names; those of no group come last. */
export function groupChoices(choices: readonly Choice[], groups: readonly ComponentGroup[], without: string): readonly ChoiceGroup[] {
  const byGroup = grouped(choices, ({ component }) => groups.find(({ uuid }) => uuid === component.group)?.uuid ?? '');
  const named = groups.map(({ uuid, name }) => ({ uuid, name })).toSorted((one, other) => one.name.localeCompare(other.name));
  return [...named, { uuid: '', name: without }].map((group) => ({ ...group, choices: byGroup.get(group.uuid) ?? [] })).filter((group) => group.choices.length > 0);
}
