//===- Passes.td - Passes of the placement stage ----------------------------------------===//
//
// From wishes to layouts: what the user asked for becomes, by the rules of the ops and by price, a
// closed layout of every tensor, with every change of layout written down.
//
//===----------------------------------------------------------------------------------===//

#ifndef VESCALE_PASSES_PLACEMENT_PASSES_TD
#define VESCALE_PASSES_PLACEMENT_PASSES_TD

include "mlir/Pass/PassBase.td"

def ApplyPlan : Pass<"dist-apply-plan", "::mlir::ModuleOp"> {
  let summary = "Writes what a plan file asks into the program as wishes";
  let description = [{
    1. Reads the plan; its mesh becomes the module's `dist.mesh`.
    2. `parameters` and `optimizer_state` match arguments of that role by `vs.name`: a layout becomes
       `dist.wish`, axes that cut further become `dist.also_cut_by`.
    3. `values` match `vs.tag` names and batch arguments. A value is constrained behind its tag.
    4. `gradients` match the tags `<parameter>.gradient`: "as-parameters" constrains each as its
       parameter.

    Wishes take part in propagation in the order values, parameters, optimizer state (priorities
    0, 1, 2) unless the plan says otherwise: what computes follows the data, and weights come to
    it. Parameters that no key matches are left to propagation, with a remark.

    Errors name the key; where it matches nothing, the nearest names.
  }];
  let options = [
    Option<"plan", "plan", "std::string", "\"\"", "path of the plan file">
  ];
  let statistics = [
    Statistic<"wishes", "wishes", "arguments and values that the plan lays out">,
    Statistic<"unmatched", "unmatched", "parameters that no key of the plan matches">
  ];
  let dependentDialects = ["::vescale::dist::DistDialect"];
}

def Propagate : Pass<"dist-propagate", "::mlir::ModuleOp"> {
  let summary = "Spreads wishes over the program: every tensor gets a layout";
  let description = [{
    Works on a graph beside the IR (PropagationGraph.h) in rounds by user priority, then op
    priority, then strategy (Propagation.h), each op by its indexing rule alone
    (FactorPropagation.h). Steps:

    1. Splits constants, and what is computed from constants alone, by use, so that one zero that
       many share does not tie their layouts.
    2. Runs the rounds. A conflict between factors goes to the one for which least has to move, at
       equal price to that of the larger tensor. Arguments of one name and role have one layout in all functions: that of
       the function with results that alias arguments, else the first.
    3. Cuts arguments and tags with `dist.also_cut_by` further, and spreads that too.
    4. Writes all types, signatures and regions included. Where an edge of data flow or a
       constraint joins two layouts, a `dist.redistribute` stands between them.

    Afterwards no wish, constraint, barrier or group is left. Ops may still disagree with their
    rules: `dist-settle` decides what moves.

    The mesh is that of the wishes, or else the module's `dist.mesh`. Missing wishes mean open,
    never an error.
  }];
  let options = [
    Option<"subAxes", "sub-axes", "bool", "true",
           "split axes where a dim straddles factors; otherwise only whole axes are used">,
    Option<"aggressive", "aggressive", "bool", "true",
           "resolve conflicts between factors after the basic strategy">,
    Option<"cluster", "cluster", "std::string", "\"\"",
           "file that describes the machine (analysis/cost/Cluster.h); default: one CPU host">,
    Option<"provenance", "provenance", "std::string", "\"\"",
           "file to write the record of all decisions to, as JSON (analysis/provenance)">
  ];
  let statistics = [
    Statistic<"decided", "decided", "changes of a tensor's layout">,
    Statistic<"visited", "visited", "times that an op was looked at">
  ];
  let dependentDialects = ["::vescale::dist::DistDialect"];
}

def Settle : Pass<"dist-settle", "::mlir::ModuleOp"> {
  let summary = "Decides, by price, what moves where an op's tensors disagree";
  let description = [{
    1. In order, each op takes the cheapest of the ways to cut its factors that its operands and
       results suggest, alone and joined: by the redistributions of operands and results that it
       needs (layout::planRedistribution) and by what it computes on each device (CutChoice.h).
    2. An op cut on a decomposable factor is replaced by its decomposition, whose ops are settled
       like all others.
    3. Ops at a redistribution are looked at again, with their neighbours, as long as that lowers
       the price of all (JointSettling.h).

    A factor that is reduced and cut gives a partial result, which stays partial while its
    consumers are linear in it and that is not dearer; it is reduced where a consumer needs it, at
    once into that consumer's layout, so as a reduce-scatter where that is cut. A value that a
    loop accumulates stays partial through the loop. One reduction serves all uses; a gather of an
    argument is written for each use.

    Prices come from the cost model (analysis/cost). Locations of redistributions are those of the
    use. Time is linear in ops: layers repeat, and what was found for one holds for all.
  }];
  let options = [
    Option<"cluster", "cluster", "std::string", "\"\"",
           "file that describes the machine (analysis/cost/Cluster.h); default: one CPU host">
  ];
  let statistics = [
    Statistic<"redistributions", "redistributions", "redistributions that were inserted">,
    Statistic<"decomposed", "decomposed", "ops that were replaced by their decompositions">,
    Statistic<"candidates", "candidates", "ways to cut an op that were looked at">,
    Statistic<"improvements", "improvements", "joint changes that lowered the price">
  ];
  let dependentDialects = ["::vescale::dist::DistDialect"];
}

def VerifyPlacement : Pass<"dist-verify-placement", "::mlir::ModuleOp"> {
  let summary = "Checks what the placement stage promises";
  let description = [{
    - every tensor type, of arguments, results and values, has a layout that is legal for it;
    - the layouts of each op are accepted by its indexing rule;
    - values that are one value across regions have one type;
    - every `dist.redistribute` changes the layout and has a location;
    - no wish, constraint, barrier or group is left.
  }];
}

#endif // VESCALE_PASSES_PLACEMENT_PASSES_TD
